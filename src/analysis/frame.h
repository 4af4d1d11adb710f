/* SPDX-License-Identifier: MIT */
/* Vector fields that span the distribution D of the constraints, as expressions of a graph of their own. */
#ifndef NH_ANALYSIS_FRAME_H
#define NH_ANALYSIS_FRAME_H

#include "analysis/study.h"

/* X_a = ∂_{free[a]} + Σ_i component[a·rank + i] ∂_{pivot[i]}. Coordinates are q, then t. All brackets of the X_a have
 * components along the pivots only, so a bracket is a list of `rank` expressions. */
typedef struct nh_frame {
    nh_graph *g;                    /* scratch: brackets may grow large, and the model must not suffer from that */
    int n, dimension, rank, fields; /* dimension = rank + fields; rank is that of the constraints */
    int *pivot, *free;
    int *place;         /* by coordinate: i if it is pivot[i], else −1 − a */
    nh_expr *component; /* [fields × rank] */
} nh_frame;

/* Solves the constraints at a point where the expressions chosen as pivots are not zero. `forms` are the values there,
 * rows × dimension, and are overwritten. Memory comes from the study's arena; free with nh_frame_free. */
nh_status nh_frame_new(nh_study *s, bool with_time, nh_quad *forms, nh_frame *out, nh_error *error);
void nh_frame_free(nh_frame *f);

/* Components of [X_a, Y] along the pivots: Y has the components y; b ≥ 0: Y is X_b. */
void nh_frame_bracket(const nh_frame *f, int a, const nh_expr *y, int b, nh_expr *out);

/* Growth vectors at the first sample and at the initial point (at_initial: the frame is good there). */
nh_status nh_study_growth(nh_study *s, const nh_frame *f, bool at_initial, nh_error *error);

#endif
