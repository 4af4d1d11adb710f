/* SPDX-License-Identifier: MIT */
#include "tableau/check.h"

#include "tableau/grid.h"
#include "tableau/legendre.h"

/* A sum that should be zero, and the size of its terms. */
typedef struct {
    nh_quad sum, size;
} balance;

static void add(balance *x, nh_quad term)
{
    x->sum += term;
    x->size += nh_quad_abs(term);
}

static void raise_to(nh_quad *largest, nh_quad x)
{
    *largest = x > *largest || x != x ? x : *largest; /* a NaN stays */
}

typedef struct {
    const nh_tableau *tableau;
    nh_quad tolerance;
    nh_legendre_walk at[NH_STAGES_MAX]; /* P_k and its integral at the nodes, for the current k */
} measurement;

static void take_degree(measurement *m, int k)
{
    for (int i = 0; i < m->tableau->stages; i++) {
        if (k == 0)
            nh_legendre_start(&m->at[i], m->tableau->c[i], 1 - m->tableau->c[i]);
        else
            nh_legendre_next(&m->at[i]);
    }
}

/* B: sum_i b_i P_k(c_i) = 1 if k = 0, else 0. */
static balance condition_b(const measurement *m, int k, int unused)
{
    (void)unused;
    balance x = {0, 0};
    for (int i = 0; i < m->tableau->stages; i++)
        add(&x, m->tableau->b[i] * m->at[i].value);
    add(&x, -(nh_quad)(k == 0));
    return x;
}

/* C: sum_j a_ij P_k(c_j) = I_k(c_i). */
static balance condition_c(const measurement *m, int k, int i)
{
    (void)k;
    const int s = m->tableau->stages;
    balance x = {0, 0};
    for (int j = 0; j < s; j++)
        add(&x, m->tableau->A[i * s + j] * m->at[j].value);
    add(&x, -m->at[i].integral);
    return x;
}

/* D: sum_i b_i P_k(c_i) a_ij = b_j J_k(c_j). */
static balance condition_d(const measurement *m, int k, int j)
{
    const int s = m->tableau->stages;
    balance x = {0, 0};
    for (int i = 0; i < s; i++)
        add(&x, m->tableau->b[i] * m->at[i].value * m->tableau->A[i * s + j]);
    add(&x, -m->tableau->b[j] * ((nh_quad)(k == 0) - m->at[j].integral));
    return x;
}

/* Counts the conditions that hold, from degree 0 on, each for `count` indices. */
static nh_condition measure(measurement *m, balance (*condition)(const measurement *, int, int), int count)
{
    nh_condition out = {0, 0, 0};
    const int most = 2 * m->tableau->stages + 1;
    for (int k = 0; k < most; k++) {
        nh_quad residual = 0;
        bool holds = true;
        take_degree(m, k);
        for (int i = 0; i < count; i++) {
            balance x = condition(m, k, i);
            nh_quad off = nh_quad_abs(x.sum);
            holds &= off <= m->tolerance * (x.size > 1 ? x.size : 1);
            raise_to(&residual, off);
        }
        if (!holds) {
            out.next = residual;
            break;
        }
        raise_to(&out.residual, residual);
        out.holds++;
    }
    return out;
}

static void measure_trees(const nh_tableau *tableau, nh_tableau_report *report)
{
    bool holds = true;
    for (int order = 1; order <= NH_TREE_ORDER_MAX; order++) {
        nh_quad residual = nh_tree_residual(tableau, order, NULL);
        report->tree[order - 1] = residual;
        if (holds && !(residual <= report->tolerance))
            report->trees.next = residual;
        holds &= residual <= report->tolerance;
        report->trees.holds += holds;
        if (holds)
            raise_to(&report->trees.residual, residual);
    }
}

nh_quad nh_coupling_residual(const nh_tableau *tableau, const nh_tableau *hat)
{
    const int s = tableau->stages;
    const nh_quad *b = tableau->b;
    nh_quad largest = 0;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            raise_to(&largest, nh_quad_abs(b[i] * tableau->A[i * s + j] + b[j] * hat->A[j * s + i] - b[i] * b[j]));
    return largest;
}

static nh_quad default_tolerance(int stages)
{
    return 2 * (nh_quad)(stages + 4) * NH_QUAD_EPSILON;
}

nh_tableau_report nh_tableau_measure(const nh_tableau *tableau, nh_quad tolerance)
{
    const int s = tableau->stages;
    nh_tableau_report report = {.tolerance = tolerance > 0 ? tolerance : default_tolerance(s)};
    measurement m = {.tableau = tableau, .tolerance = report.tolerance};
    report.B = measure(&m, condition_b, 1);
    report.C = measure(&m, condition_c, s);
    report.D = measure(&m, condition_d, s);
    measure_trees(tableau, &report);
    report.sum = -1;
    for (int i = 0; i < s; i++) {
        nh_quad row = -tableau->c[i];
        for (int j = 0; j < s; j++)
            row += tableau->A[i * s + j];
        raise_to(&report.rows, nh_quad_abs(row));
        report.sum += tableau->b[i];
    }
    report.sum = nh_quad_abs(report.sum);
    report.node_symmetry = nh_tableau_node_asymmetry(tableau);
    report.matrix_symmetry = nh_tableau_matrix_asymmetry(tableau);
    report.symplectic = nh_coupling_residual(tableau, tableau);
    return report;
}

static bool is_symmetric(const nh_tableau_report *report)
{
    return report->node_symmetry <= report->tolerance && report->matrix_symmetry <= report->tolerance;
}

static int count_triple_trees(const nh_triple *triple, nh_quad tolerance)
{
    int order = 0;
    while (order < NH_TREE_ORDER_MAX && nh_triple_tree_residual(triple, order + 1) <= tolerance)
        order++;
    return order;
}

nh_triple_report nh_triple_measure(const nh_triple *triple, nh_quad tolerance)
{
    nh_triple_report report = {
        .position = nh_tableau_measure(&triple->position, tolerance),
        .force = nh_tableau_measure(&triple->force, tolerance),
        .reaction = nh_tableau_measure(&triple->reaction, tolerance),
        .coupling = nh_coupling_residual(&triple->position, &triple->force),
    };
    const nh_tableau_report *part[] = {&report.position, &report.force, &report.reaction};
    for (int i = 0; i < 3; i++) {
        raise_to(&report.symmetry, part[i]->node_symmetry);
        raise_to(&report.symmetry, part[i]->matrix_symmetry);
    }
    report.trees = count_triple_trees(triple, report.position.tolerance);
    report.dalembert = report.coupling <= report.position.tolerance;
    report.symmetric = is_symmetric(&report.position) && is_symmetric(&report.force) && is_symmetric(&report.reaction);
    return report;
}

bool nh_family_agrees(const nh_family *family, int stages, const nh_tableau_report *report)
{
    const int order = 2 * stages + family->B, seen = order < NH_TREE_ORDER_MAX ? order : NH_TREE_ORDER_MAX;
    /* C(1) is the condition on the row sums. */
    bool rows = (report->rows <= report->tolerance) == (stages + family->C >= 1);
    return report->B.holds == order && report->C.holds == stages + family->C && report->D.holds == stages + family->D &&
           report->trees.holds == seen && report->sum <= report->tolerance && rows &&
           is_symmetric(report) == family->symmetric;
}

bool nh_triple_method_agrees(const nh_triple_method *method, const nh_triple_report *report)
{
    return report->dalembert == method->dalembert && report->symmetric == method->symmetric &&
           report->position.sum <= report->position.tolerance;
}
