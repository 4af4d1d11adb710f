/* SPDX-License-Identifier: MIT */
/* Order conditions by rooted trees: sum_i b_i Phi_i(t) = 1/gamma(t) (Hairer, Norsett, Wanner, II.2), where Phi_i of a
 * tree is the product of sum_j a_ij Phi_j over the subtrees at its root, and gamma the product over all nodes of the
 * number of nodes from there up. Only A and b enter: c is not assumed to be the row sums.
 *
 * A tree is the list of the levels of its nodes in preorder; all of them are listed by the successor rule of Beyer and
 * Hedetniemi (1980), from the chain to the bush. */
#include "tableau/check.h"

#include <string.h>

enum { ORDER = NH_TREE_ORDER_MAX };

typedef struct {
    int level[ORDER];
} tree;

/* The coefficients that lead from a node to its parent: those of one tableau, or of a triple. */
typedef struct {
    const nh_tableau *tableau;
    const nh_triple *triple; /* NULL: the tableau alone */
} coefficients;

static nh_quad fraction_of(double x)
{
    return (nh_quad)(x - (int)x);
}

/* sum_j a_ij phi_j. Of a triple, a node is of q, of forces or of reactions, and a leaf may be the time, so that each
 * has three matrices and c: a sum of all with weights that add up to 1, others for every node. A residual is linear in
 * each of them, so that it vanishes for all kinds of nodes if, but for odd chances, it vanishes for these. */
static nh_quad towards_parent(const coefficients *of, int node, bool leaf, int i, const nh_quad *phi)
{
    const int s = of->tableau->stages;
    const nh_triple *t = of->triple;
    nh_quad sum[3] = {0, 0, 0};
    for (int j = 0; j < s; j++) {
        sum[0] += of->tableau->A[i * s + j] * phi[j];
        sum[1] += t ? t->force.A[i * s + j] * phi[j] : 0;
        sum[2] += t ? t->reaction.A[i * s + j] * phi[j] : 0;
    }
    if (!t)
        return sum[0];
    const nh_quad u = fraction_of(0.7548776662 * (node + 1)), v = fraction_of(0.5698402910 * (node + 1));
    const nh_quad of_time = leaf ? fraction_of(0.8191725134 * (node + 1)) : 0;
    return (1 - of_time) * (u * sum[0] + v * sum[1] + (1 - u - v) * sum[2]) + of_time * t->position.c[i];
}

/* The next tree of that order; false if it was the last one. */
static bool next_tree(tree *t, int order)
{
    int p = order - 1, q;
    while (p > 0 && t->level[p] <= 1)
        p--;
    if (p <= 0)
        return false;
    for (q = p - 1; t->level[q] != t->level[p] - 1;)
        q--;
    for (int i = p; i < order; i++)
        t->level[i] = t->level[i - (p - q)];
    return true;
}

static nh_quad residual_of(const coefficients *of, const tree *t, int order)
{
    const int s = of->tableau->stages;
    nh_quad phi[ORDER][NH_STAGES_MAX] = {{0}}, gamma = 1, sum = 0;
    int size[ORDER] = {0};
    for (int node = 0; node < order; node++) {
        size[node] = 1;
        for (int i = 0; i < s; i++)
            phi[node][i] = 1;
    }
    for (int node = order - 1; node >= 0; node--) { /* children come after their parent */
        gamma *= (nh_quad)size[node];
        int parent = node - 1;
        while (parent >= 0 && t->level[parent] != t->level[node] - 1)
            parent--;
        if (parent < 0)
            continue;
        size[parent] += size[node];
        for (int i = 0; i < s; i++)
            phi[parent][i] *= towards_parent(of, node, size[node] == 1, i, phi[node]);
    }
    for (int i = 0; i < s; i++)
        sum += of->tableau->b[i] * phi[0][i];
    return nh_quad_abs(sum - 1 / gamma);
}

static nh_quad largest_residual(const coefficients *of, int order, int *count)
{
    tree t = {{0}};
    nh_quad largest = 0;
    int trees = 0;
    if (order < 1 || order > ORDER)
        return 1; /* nothing is known: not satisfied */
    for (int i = 0; i < order; i++)
        t.level[i] = i;
    do {
        nh_quad residual = residual_of(of, &t, order);
        largest = residual > largest ? residual : largest;
        trees++;
    } while (next_tree(&t, order));
    if (count)
        *count = trees;
    return largest;
}

nh_quad nh_tree_residual(const nh_tableau *tableau, int order, int *count)
{
    return largest_residual(&(coefficients){tableau, NULL}, order, count);
}

nh_quad nh_triple_tree_residual(const nh_triple *triple, int order)
{
    return largest_residual(&(coefficients){&triple->position, triple}, order, NULL);
}
