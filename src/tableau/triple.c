/* SPDX-License-Identifier: MIT */
/* The list of SPARK methods: Jay (2009), section 7. The modified Lobatto IIIA-B method of section 8.4 is not in it: it
 * has the coefficients of lobatto-ab and another condition in place of (6.1e). */
#include "tableau/triple.h"

#include "base/text.h"
#include "tableau/legendre.h"

#include <string.h>

enum { ANY = NH_STAGES_MAX };

const nh_triple_method *nh_triple_method_get(int index)
{
    static const nh_triple_method methods[] = {
        {"gauss", "Gauss (7.3, 7.4)", NH_GAUSS, NH_GAUSS, NH_GAUSS, 1, ANY, 0, true, true},
        {"lobatto-ab", "Lobatto IIIA-B (7.5)", NH_LOBATTO_IIIA, NH_LOBATTO_IIIB, NH_LOBATTO_IIIB, 2, ANY, -2, true,
         true},
        {"lobatto-abd", "Lobatto IIIA-B-D (7.6)", NH_LOBATTO_IIIA, NH_LOBATTO_IIIB, NH_LOBATTO_IIID, 2, ANY, -2, true,
         true},
        /* IIID is not the conjugate of IIIA: (6.2b) fails, by 1/8 for s = 2. */
        {"lobatto-ad", "Lobatto IIIA-D (7.6)", NH_LOBATTO_IIIA, NH_LOBATTO_IIID, NH_LOBATTO_IIID, 2, ANY, -2, false,
         true},
        {"lobatto-d", "Lobatto IIID (7.6)", NH_LOBATTO_IIID, NH_LOBATTO_IIID, NH_LOBATTO_IIID, 2, ANY, -2, true, true},
        {"radau-ia", "Radau IA", NH_RADAU_IA, NH_RADAU_IA, NH_RADAU_IA, 1, ANY, -1, false, false},
        {"euler-1", "symplectic Euler I (7.1)", NH_FAMILIES, NH_FAMILIES, NH_FAMILIES, 1, 1, -1, true, false},
        {"euler-2", "symplectic Euler II (7.2)", NH_FAMILIES, NH_FAMILIES, NH_FAMILIES, 1, 1, -1, true, false},
    };
    const int count = (int)(sizeof methods / sizeof methods[0]);
    return index >= 0 && index < count ? &methods[index] : NULL;
}

static const nh_triple_method *find_method(const char *name)
{
    const nh_triple_method *method;
    for (int i = 0; (method = nh_triple_method_get(i)); i++)
        if (!strcmp(method->name, name))
            return method;
    return NULL;
}

static nh_status unknown_method(const char *name, nh_error *error)
{
    const nh_triple_method *method;
    const char *best = NULL;
    size_t distance = 0;
    for (int i = 0; (method = nh_triple_method_get(i)); i++)
        nh_nearer(name, method->name, &best, &distance);
    if (best)
        return nh_fail(error, NH_NAME, "there is no SPARK method '%.64s'; did you mean '%s'?", name, best);
    return nh_fail(error, NH_NAME, "there is no SPARK method '%.64s'", name);
}

/* q' gets A = (c), p' gets (1 - c): Euler I has c = 0, Euler II c = 1. */
static nh_status make_euler(nh_arena *arena, nh_quad c, nh_triple *out, nh_error *error)
{
    const nh_quad one = 1, other = 1 - c;
    nh_status status = nh_tableau_copy(arena, 1, &c, &one, &c, &out->position, error);
    if (status == NH_OK)
        status = nh_tableau_copy(arena, 1, &other, &one, &c, &out->force, error);
    out->reaction = out->force;
    return status;
}

nh_status nh_triple_make(nh_arena *arena, const char *name, int stages, nh_triple *out, nh_error *error)
{
    const nh_triple_method *method = find_method(name);
    if (!method)
        return unknown_method(name, error);
    if (stages < method->smallest || stages > method->largest) {
        if (method->largest == 1)
            return nh_fail(error, NH_LIMIT, "%s with %d stages: it has one stage", name, stages);
        return nh_fail(error, NH_LIMIT, "%s with %d stages: there must be %d to %d", name, stages, method->smallest,
                       method->largest);
    }
    nh_status status;
    if (method->position == NH_FAMILIES) {
        status = make_euler(arena, strcmp(name, "euler-1") ? 1 : 0, out, error);
    } else {
        status = nh_tableau_make(arena, method->position, stages, &out->position, error);
        if (status == NH_OK)
            status = nh_tableau_make(arena, method->force, stages, &out->force, error);
        if (status == NH_OK)
            status = nh_tableau_make(arena, method->reaction, stages, &out->reaction, error);
    }
    if (status != NH_OK)
        return status;
    out->force.b = out->reaction.b = out->position.b;
    out->force.c = out->reaction.c = out->position.c;
    out->reaction_line = 0;
    return NH_OK;
}

void nh_triple_omega(const nh_triple *triple, nh_quad *omega)
{
    const int s = triple->position.stages;
    nh_quad p[NH_STAGES_MAX];
    for (int j = 0; j < s; j++) {
        nh_quad c = triple->position.c[j];
        nh_legendre(c, 1 - c, s, p, NULL);
        for (int i = 0; i < s - 1; i++)
            omega[i * s + j] = nh_quad_sqrt((nh_quad)(2 * i + 1)) * triple->position.b[j] * p[i];
    }
}

nh_status nh_triple_split(nh_arena *arena, const nh_triple *triple, nh_split out[3], nh_error *error)
{
    const nh_tableau *part[3] = {&triple->position, &triple->force, &triple->reaction};
    int exponent = 0;
    for (int i = 0; i < 3; i++) {
        int own = nh_tableau_exponent(part[i]);
        exponent = own > exponent ? own : exponent;
    }
    for (int i = 0; i < 3; i++) {
        nh_status status = nh_tableau_split(arena, part[i], exponent, &out[i], error);
        if (status != NH_OK)
            return status;
    }
    return NH_OK;
}
