/* SPDX-License-Identifier: MIT */
/* Claims and verdicts. */
#include "io/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Verdicts: every comparison with a NaN is false, and false is "differs" ---- */

static bool is_tolerance(double tolerance)
{
    return tolerance >= 0 && isfinite(tolerance);
}

static bool is_near(const nh_claim *c)
{
    return is_tolerance(c->tolerance) && isfinite(c->published) &&
           fabs(c->ours - c->published) <= c->tolerance * fabs(c->published);
}

static bool is_inside(const nh_claim *c)
{
    bool can_fail = isfinite(c->low) || isfinite(c->high);
    return can_fail && c->low <= c->high && c->ours >= c->low && c->ours <= c->high;
}

/* Zero and infinity have no order of magnitude, and agree with nothing. */
static bool is_alike(const nh_claim *c)
{
    bool same_sign = (c->ours > 0 && c->published > 0) || (c->ours < 0 && c->published < 0);
    return is_tolerance(c->tolerance) && isfinite(c->ours) && isfinite(c->published) && same_sign &&
           fabs(log10(fabs(c->ours)) - log10(fabs(c->published))) <= c->tolerance;
}

nh_verdict nh_claim_verdict(const nh_claim *claim)
{
    bool agrees = false;
    if (isnan(claim->ours))
        return NH_DIFFERS;
    switch (claim->comparison) {
    case NH_COMPARE_NOTHING:
        return NH_MEASURED;
    case NH_COMPARE_RELATIVE:
        agrees = is_near(claim);
        break;
    case NH_COMPARE_RANGE:
        agrees = is_inside(claim);
        break;
    case NH_COMPARE_MAGNITUDE:
        agrees = is_alike(claim);
        break;
    case NH_COMPARE_TRUTH:
        agrees = claim->ours != 0;
        break;
    }
    return agrees ? NH_AGREES : NH_DIFFERS;
}

/* ---- Lists ---- */

static const char *copied(nh_claims *claims, const char *text)
{
    const char *copy = text ? nh_arena_text(&claims->arena, text, strlen(text)) : "";
    claims->failed = claims->failed || !copy;
    return copy;
}

nh_claims *nh_claims_new(const char *title)
{
    nh_claims *claims = calloc(1, sizeof *claims);
    if (claims)
        claims->title = copied(claims, title);
    return claims;
}

void nh_claims_free(nh_claims *claims)
{
    if (!claims)
        return;
    free(claims->rows);
    nh_arena_free(&claims->arena);
    free(claims);
}

nh_verdict nh_claims_add(nh_claims *claims, const nh_claim *claim)
{
    nh_verdict verdict = nh_claim_verdict(claim);
    if (!claims || claims->failed)
        return verdict;
    nh_claims_row row = {.claim = *claim, .verdict = verdict};
    row.claim.figure = copied(claims, claim->figure);
    row.claim.what = copied(claims, claim->what);
    row.claim.claim = copied(claims, claim->claim);
    claims->failed = claims->failed || !nh_grow(&claims->rows, &claims->capacity, claims->count, sizeof *claims->rows);
    if (!claims->failed) {
        claims->rows[claims->count++] = row;
        claims->verdicts[verdict]++;
    }
    return verdict;
}

int nh_claims_count(const nh_claims *claims, nh_verdict verdict)
{
    return claims && (int)verdict >= 0 && (int)verdict < NH_VERDICTS ? claims->verdicts[verdict] : 0;
}
