/* SPDX-License-Identifier: MIT */
/* What the parts of a classification share: points to look at, and the decision whether a number is zero. */
#ifndef NH_ANALYSIS_STUDY_H
#define NH_ANALYSIS_STUDY_H

#include "analysis/classify.h"
#include "base/linear.h"
#include "model/derived.h"
#include "model/evaluate.h"

enum {
    NH_SAMPLES = 3,
    NH_SMALL = 24,     /* dimensions up to which sums are written out and brackets are taken */
    NH_SVD_SMALL = 48, /* matrices up to which singular values are computed */
    NH_FAMILY_ROWS = 8 /* rows of a family that are looked at one by one */
};

/* A point: t, and everything that an expression may contain. */
typedef struct nh_sample {
    nh_quad t;
    nh_quad *q, *v, *lambda; /* [n], [n], [size of the space] */
} nh_sample;

typedef struct nh_study {
    const nh_model *m;
    nh_classification *c;
    nh_quad *parameters;
    nh_sample initial;
    bool initial_good; /* the initial data are finite */
    nh_sample sample[NH_SAMPLES];
    int samples;
    uint64_t random; /* state of the generator */
    nh_quad *column; /* room for m + holonomic numbers */
    nh_field mass;   /* L_vv of a Lagrangian system, from the traits */
    nh_arena arena;  /* memory until the study ends */
} nh_study;

/* Uniform in (−1, 1), always the same sequence. */
nh_quad nh_study_random(nh_study *s);
/* Pointers to the components of a point. */
void nh_sample_inputs(const nh_study *s, const nh_sample *at, const nh_quad *x[NH_SPACES]);
/* Is a sum zero, given the sum of the absolute values of its terms? */
bool nh_negligible(nh_quad sum, nh_quad terms);
/* Σ a_i x_i; *terms gains the absolute values of its terms, and a small part of Σ|a_i| Σ|x_i|: if all terms are
 * rounding errors, the sum is still negligible. */
nh_quad nh_dot(const nh_quad *a, const nh_quad *x, int n, nh_quad *terms);

/* Fills the initial point and the samples. */
nh_status nh_study_points(nh_study *s, nh_error *error);
/* The fields of requests as one probe with the study's parameters. */
nh_status nh_study_probe(nh_study *s, const nh_request *list, int count, nh_probe *out, nh_error *error);
/* A copy of a column with this number of rows. */
nh_status nh_study_copy(const nh_field *f, int rows, nh_field *out, nh_error *error);
/* Fields made elsewhere, likewise; frees them. */
nh_status nh_study_fields(nh_study *s, nh_field *fields, int count, nh_probe *out, nh_error *error);

/* Notes that a quantity is not finite at the initial point; the first one counts. */
void nh_study_not_finite(nh_study *s, const char *quantity);
nh_status nh_out_of_memory(nh_error *error);

/* The parts, in their order. Each fills its part of the classification. */
nh_status nh_study_constraints(nh_study *s, nh_error *error);
nh_status nh_study_regularity(nh_study *s, nh_error *error);
nh_status nh_study_energy(nh_study *s, nh_error *error);
nh_status nh_study_distribution(nh_study *s, nh_error *error);
nh_status nh_study_large(nh_study *s, nh_error *error);
nh_status nh_study_reversal(nh_study *s, nh_error *error);
nh_status nh_study_symmetries(nh_study *s, nh_error *error);
nh_status nh_study_traits(nh_study *s, nh_error *error);

/* Proves what can be proved about symmetry i of a small system. */
nh_status nh_prove_symmetry(nh_study *s, int i, nh_error *error);

/* dω of the constraints as bilinear functions of (NH_D_TIME, NH_D_Q) and (NH_LAMBDA[0], NH_V): `first` is the
 * derivative of ω(w) along u, `second` that of ω(u) along w; dω(u, w) = first − second. rows × 1 each; velocity
 * constraints only. */
nh_status nh_two_form(const nh_model *m, nh_field *first, nh_field *second, nh_error *error);
/* Puts one column below another, as one function: what both contain is computed once. Frees `below`. */
nh_status nh_stack(nh_field *top, nh_field *below, nh_error *error);
/* e at v = 0. */
nh_expr nh_at_rest(nh_graph *g, nh_expr e);
/* k − k|_{v=0} + λ[0]·k|_{v=0}: ω of a vector (v, λ[0]) of Q×R. */
nh_expr nh_one_form(nh_graph *g, nh_expr k);
/* Rows of K and g_q, then their dt column: (m + holonomic) × (n + 1) at a point. */
nh_status nh_form_matrix(nh_study *s, nh_probe *out, nh_error *error);
void nh_form_matrix_at(nh_study *s, nh_probe *p, const nh_sample *at, bool with_time, nh_quad *out);

#endif
