/* SPDX-License-Identifier: MIT */
/* Matrices of large systems: values by rows, as many as the expressions have entries. */
#ifndef NH_MODEL_SPARSE_H
#define NH_MODEL_SPARSE_H

#include "expr/pattern.h"
#include "model/evaluate.h"

enum { NH_SPARSE_MOST = 1000000 }; /* entries that a matrix may have */

/* The entries of a matrix field at a point. */
typedef struct nh_sparse {
    nh_pattern pattern;
    bool too_many;  /* entries: it cannot be evaluated */
    nh_quad *value; /* of each entry */
    nh_quad *slot;
    nh_probe probe;
} nh_sparse; /* all zero is an empty one */

/* The pattern of a field; frees the field. Parameters may be NULL: nh_probe_parameters has them later. */
nh_status nh_sparse_new(const nh_model *m, const nh_quad *parameters, nh_field *field, nh_sparse *out, nh_error *error);
void nh_sparse_free(nh_sparse *a);
/* The values at a point; false if there are too many, or rows from `first` on are not finite. */
bool nh_sparse_at(nh_sparse *a, int first, const nh_quad *const x[NH_SPACES]);

#endif
