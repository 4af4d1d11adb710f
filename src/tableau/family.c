/* SPDX-License-Identifier: MIT */
/* Coefficients of the families from Legendre polynomials; the formulas are in family.h. */
#include "tableau/family.h"

#include "tableau/grid.h"
#include "tableau/legendre.h"

#include <string.h>

enum { SMAX = NH_STAGES_MAX };

const nh_family *nh_family_get(nh_family_id id)
{
    static const nh_family families[NH_FAMILIES] = {
        [NH_GAUSS] = {"Gauss", NH_GAUSS_NODES, 1, 0, 0, 0, true, NH_GAUSS},
        [NH_RADAU_IA] = {"Radau IA", NH_RADAU_LEFT, 1, -1, -1, 0, false, NH_FAMILIES},
        [NH_RADAU_IIA] = {"Radau IIA", NH_RADAU_RIGHT, 1, -1, 0, -1, false, NH_FAMILIES},
        [NH_LOBATTO_IIIA] = {"Lobatto IIIA", NH_LOBATTO_NODES, 2, -2, 0, -2, true, NH_LOBATTO_IIIB},
        [NH_LOBATTO_IIIB] = {"Lobatto IIIB", NH_LOBATTO_NODES, 2, -2, -2, 0, true, NH_LOBATTO_IIIA},
        [NH_LOBATTO_IIIC] = {"Lobatto IIIC", NH_LOBATTO_NODES, 2, -2, -1, -1, false, NH_LOBATTO_IIIC_STAR},
        [NH_LOBATTO_IIIC_STAR] = {"Lobatto IIIC*", NH_LOBATTO_NODES, 2, -2, -1, -1, false, NH_LOBATTO_IIIC},
        [NH_LOBATTO_IIID] = {"Lobatto IIID", NH_LOBATTO_NODES, 2, -2, -1, -1, true, NH_LOBATTO_IIID},
    };
    return (unsigned)id < NH_FAMILIES ? &families[id] : NULL;
}

const nh_family *nh_family_find(const char *name)
{
    for (nh_family_id id = 0; id < NH_FAMILIES; id++)
        if (!strcmp(nh_family_get(id)->name, name))
            return nh_family_get(id);
    return NULL;
}

/* Polynomials at the nodes, before anything is rounded to the grid. */
typedef struct {
    int s;
    nh_nodes nodes;
    nh_quad P[SMAX][SMAX], I[SMAX][SMAX]; /* [node][degree] */
    nh_quad A[SMAX * SMAX], b[SMAX], c[SMAX];
} family_work;

static void evaluate_polynomials(family_work *w)
{
    for (int i = 0; i < w->s; i++)
        nh_legendre(w->nodes.left[i], w->nodes.right[i], w->s, w->P[i], w->I[i]);
}

/* a_ij / b_j: the sum of C(s), or of D(s), over k < terms, smallest terms first. */
static nh_quad sum_of_assumption(const family_work *w, bool is_c, int terms, int i, int j)
{
    nh_quad sum = 0;
    for (int k = terms - 1; k >= 0; k--) {
        nh_quad tail = (nh_quad)(k == 0) - w->I[j][k];
        sum += (nh_quad)(2 * k + 1) * (is_c ? w->I[i][k] * w->P[j][k] : w->P[i][k] * tail);
    }
    return sum;
}

static nh_quad correction(const family_work *w, nh_family_id id, int i, int j)
{
    const nh_quad last = w->P[i][w->s - 1], before = w->P[i][w->s - 2], half = w->P[j][w->s - 1] / 2;
    if (id == NH_LOBATTO_IIIC)
        return (last - before) * half;
    if (id == NH_LOBATTO_IIIC_STAR)
        return -(last + before) * half;
    return id == NH_LOBATTO_IIID ? -before * half : 0;
}

static void fill_matrix(family_work *w, nh_family_id id)
{
    const int s = w->s;
    const bool is_lobatto = nh_family_get(id)->nodes == NH_LOBATTO_NODES;
    const bool is_c = id != NH_RADAU_IA && id != NH_LOBATTO_IIIB;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            nh_quad sum = sum_of_assumption(w, is_c, is_lobatto ? s - 1 : s, i, j);
            if (is_lobatto)
                sum += correction(w, id, i, j);
            w->A[i * s + j] = nh_snap(w->nodes.weight[j] * sum, NH_QUAD_BITS);
        }
}

static void fill_nodes(family_work *w, bool mirrored)
{
    const int s = w->s;
    nh_units units[SMAX];
    nh_units_share(w->nodes.weight, s, NH_QUAD_BITS, nh_units_nearest(1, NH_QUAD_BITS), mirrored, units);
    for (int i = 0; i < s; i++) {
        w->b[i] = nh_units_value(units[i], NH_QUAD_BITS);
        w->c[i] = nh_snap(w->nodes.left[i], NH_QUAD_BITS);
        if (mirrored && 2 * i >= s) /* exact on the grid; the middle one is 1/2 */
            w->c[i] = 1 - w->c[s - 1 - i];
    }
}

/* Rows and columns that are known without rounding. */
static void impose_ends(family_work *w, nh_family_id id)
{
    const int s = w->s;
    const bool is_a = id == NH_LOBATTO_IIIA, is_b = id == NH_LOBATTO_IIIB;
    const bool is_c = id == NH_LOBATTO_IIIC, is_star = id == NH_LOBATTO_IIIC_STAR;
    for (int k = 0; k < s; k++) {
        if (is_b || is_c || id == NH_RADAU_IA)
            w->A[k * s] = w->b[0];
        if (is_b || is_star)
            w->A[k * s + s - 1] = 0;
        if (is_a || is_star)
            w->A[k] = 0;
        if (is_a || is_c || id == NH_RADAU_IIA)
            w->A[(s - 1) * s + k] = w->b[k];
    }
}

/* a_(s+1-i,s+1-j) = b_j - a_ij for the second half of the entries, exact on the grid; b_j/2 for the one in the middle.
 */
static void impose_symmetry(family_work *w)
{
    const int s = w->s, last = s * s - 1;
    for (int k = 0; 2 * k <= last; k++)
        w->A[last - k] = 2 * k == last ? w->b[k % s] / 2 : w->b[k % s] - w->A[k];
}

nh_status nh_tableau_make(nh_arena *arena, nh_family_id id, int stages, nh_tableau *out, nh_error *error)
{
    const nh_family *family = nh_family_get(id);
    if (!family)
        return nh_fail(error, NH_USAGE, "there is no family %d of tableaux", (int)id);
    if (stages < family->smallest || stages > NH_STAGES_MAX)
        return nh_fail(error, NH_LIMIT, "%s with %d stages: there must be %d to %d", family->name, stages,
                       family->smallest, NH_STAGES_MAX);
    nh_arena scratch = {0}; /* too large for the stack, and of no use afterwards */
    family_work *w = NH_NEW(&scratch, family_work, 1);
    if (!w)
        return nh_fail(error, NH_MEMORY, "no memory for a tableau of %d stages", stages);
    w->s = stages;
    nh_nodes_make(family->nodes, stages, &w->nodes);
    evaluate_polynomials(w);
    fill_nodes(w, family->nodes == NH_GAUSS_NODES || family->nodes == NH_LOBATTO_NODES);
    fill_matrix(w, id);
    impose_ends(w, id);
    if (family->symmetric)
        impose_symmetry(w);
    nh_status status = nh_tableau_copy(arena, stages, w->A, w->b, w->c, out, error);
    nh_arena_free(&scratch);
    return status;
}
