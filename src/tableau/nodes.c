/* SPDX-License-Identifier: MIT */
/* Newton's method works on the distance from the nearer end, where both the polynomial and its argument are accurate.
 * It starts from an asymptotic formula in plain arithmetic: no library function, so all machines get the same bits. */
#include "tableau/nodes.h"

#include "tableau/legendre.h"

#include <stddef.h>

/* sin^2(x) for 0 <= x <= 1 or so, by the Taylor series of (1 - cos 2x)/2. */
static double sine_squared(double x)
{
    enum { TERMS = 16 };
    double z = 4 * x * x, term = z / 4, sum = 0;
    for (int k = 1; k <= TERMS; k++) {
        sum += term;
        term *= -z / ((2 * k + 1) * (2 * k + 2));
    }
    return sum;
}

/* Distance of zero number i = 1, 2, … of the Jacobi polynomial of degree n with exponents alpha (at the end from which
 * i counts) and beta from that end; the angle of the zero is off by O(1/n^2). */
static double zero_guess(int i, int n, int alpha, int beta)
{
    const double pi = 3.14159265358979323846;
    double angle = (i + alpha / 2.0 - 0.25) * pi / (n + (alpha + beta + 1) / 2.0);
    return sine_squared(angle / 2);
}

/* f/f' with respect to t of the polynomial whose zeros the inner nodes are. */
static nh_quad newton_step(nh_quadrature quadrature, int s, nh_quad left, nh_quad right)
{
    nh_quad p[NH_STAGES_MAX + 1], integral[NH_STAGES_MAX + 1];
    nh_legendre(left, right, s + 1, p, integral);
    if (quadrature == NH_LOBATTO_NODES)
        return integral[s - 1] / p[s - 1];
    if (quadrature == NH_GAUSS_NODES)
        return 2 * left * right * p[s] / ((nh_quad)s * (p[s - 1] - (left - right) * p[s]));
    return right * (p[s] + p[s - 1]) / ((nh_quad)s * (p[s - 1] - p[s]));
}

/* Moves a node, given by its distance from the left or the right end, to the zero. */
static nh_quad polish(nh_quadrature quadrature, int s, bool from_left, nh_quad distance)
{
    enum { STEPS = 20 };
    const nh_quad small = (nh_quad)1e-18; /* twice as many digits are there after the next step */
    bool near = false;
    for (int k = 0; k < STEPS; k++) {
        nh_quad other = 1 - distance;
        nh_quad step =
            from_left ? newton_step(quadrature, s, distance, other) : -newton_step(quadrature, s, other, distance);
        distance -= step;
        if (near)
            break;
        near = nh_quad_abs(step) <= small * distance;
    }
    return distance;
}

static void set_node(nh_nodes *nodes, int i, bool from_left, nh_quad distance)
{
    nodes->left[i] = from_left ? distance : 1 - distance;
    nodes->right[i] = from_left ? 1 - distance : distance;
}

/* Node i of the left half, and its image on the right. */
static void set_pair(nh_nodes *nodes, int i, nh_quad distance)
{
    set_node(nodes, i, true, distance);
    set_node(nodes, nodes->count - 1 - i, false, distance);
}

static void place_mirrored(nh_quadrature quadrature, nh_nodes *nodes)
{
    const int s = nodes->count, ends = quadrature == NH_LOBATTO_NODES;
    if (ends)
        set_pair(nodes, 0, 0);
    for (int i = ends; i < s / 2; i++) {
        double guess = zero_guess(i + 1 - ends, s - 2 * ends, ends, ends);
        set_pair(nodes, i, polish(quadrature, s, true, (nh_quad)guess));
    }
    if (s % 2)
        set_node(nodes, s / 2, true, (nh_quad)0.5);
}

static void place_radau_left(nh_nodes *nodes)
{
    const int s = nodes->count;
    set_node(nodes, 0, true, 0);
    for (int i = 1; i < s; i++) {
        bool from_left = 2 * i < s;
        double guess = from_left ? zero_guess(i, s - 1, 1, 0) : zero_guess(s - i, s - 1, 0, 1);
        set_node(nodes, i, from_left, polish(NH_RADAU_LEFT, s, from_left, (nh_quad)guess));
    }
}

static nh_quad weight(nh_quadrature quadrature, int s, nh_quad left, nh_quad right)
{
    nh_quad p[NH_STAGES_MAX], n = (nh_quad)s;
    nh_legendre(left, right, s, p, NULL);
    nh_quad square = p[s - 1] * p[s - 1];
    if (quadrature == NH_LOBATTO_NODES)
        return 1 / (n * (n - 1) * square);
    if (quadrature == NH_GAUSS_NODES)
        return 4 * left * right / (n * n * square);
    return right / (n * n * square);
}

static void mirror(nh_nodes *nodes)
{
    nh_nodes image = {.count = nodes->count};
    for (int i = 0, j = nodes->count - 1; j >= 0; i++, j--) {
        image.left[i] = nodes->right[j];
        image.right[i] = nodes->left[j];
        image.weight[i] = nodes->weight[j];
    }
    *nodes = image;
}

bool nh_nodes_make(nh_quadrature quadrature, int count, nh_nodes *out)
{
    const bool mirrored = quadrature == NH_GAUSS_NODES || quadrature == NH_LOBATTO_NODES;
    if (count < (quadrature == NH_LOBATTO_NODES ? 2 : 1) || count > NH_STAGES_MAX)
        return false;
    *out = (nh_nodes){.count = count};
    if (mirrored)
        place_mirrored(quadrature, out);
    else
        place_radau_left(out);
    for (int i = 0; i < count; i++)
        out->weight[i] = weight(quadrature, count, out->left[i], out->right[i]);
    for (int i = 0; mirrored && i < count / 2; i++)
        out->weight[count - 1 - i] = out->weight[i];
    if (quadrature == NH_RADAU_RIGHT)
        mirror(out);
    return true;
}
