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

static nh_quad residual_of(const nh_tableau *tableau, const tree *t, int order)
{
    const int s = tableau->stages;
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
        for (int i = 0; i < s; i++) {
            nh_quad product = 0;
            for (int j = 0; j < s; j++)
                product += tableau->A[i * s + j] * phi[node][j];
            phi[parent][i] *= product;
        }
    }
    for (int i = 0; i < s; i++)
        sum += tableau->b[i] * phi[0][i];
    return nh_quad_abs(sum - 1 / gamma);
}

nh_quad nh_tree_residual(const nh_tableau *tableau, int order, int *count)
{
    tree t = {{0}};
    nh_quad largest = 0;
    int trees = 0;
    if (order < 1 || order > ORDER)
        return 1; /* nothing is known: not satisfied */
    for (int i = 0; i < order; i++)
        t.level[i] = i;
    do {
        nh_quad residual = residual_of(tableau, &t, order);
        largest = residual > largest ? residual : largest;
        trees++;
    } while (next_tree(&t, order));
    if (count)
        *count = trees;
    return largest;
}
