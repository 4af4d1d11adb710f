/* SPDX-License-Identifier: MIT */
/* A program: functions of one signature, lowered once from the graph to a tape of simple instructions.
 * The interpreter runs the tape, the C backend prints it: both do the same operations in the same order.
 *
 *     f(constants c, inputs x, output y)     each [component][lane], lanes innermost
 *
 * x is a table of pointers by nh_space (NULL for what f does not use). c holds the parameters, then what depends on
 * parameters only: function 0 of every program computes it once per member from x[NH_PARAMETER]. */
#ifndef NH_EXPR_PROGRAM_H
#define NH_EXPR_PROGRAM_H

#include "expr/field.h"

typedef struct nh_program nh_program;

typedef enum nh_layout {
    NH_DENSE, /* rows × columns, row-major; entries that no piece sets are stored as zero */
    NH_SPARSE /* piece by piece, each a full box of its loops' extents (nh_piece_extents), innermost loop fastest */
} nh_layout;

/* Lowers `count` fields to functions 1 … count of a new program. The graph must outlive only this call. */
nh_status nh_program_new(nh_graph *g, const nh_field *fields, const nh_layout *layouts, int count, int parameters,
                         nh_program **out, nh_error *error);
void nh_program_free(nh_program *p);
int nh_program_functions(const nh_program *p);                 /* including function 0 */
int nh_program_constants(const nh_program *p);                 /* length of c */
int nh_program_outputs(const nh_program *p, int function);     /* length of y */
uint32_t nh_program_length(const nh_program *p, int function); /* instructions on the tape */
size_t nh_program_work(const nh_program *p);                   /* reals of work space per lane */

/* Interpreters of the tape. `work` is prepared once by …_prepare and then reused by calls of any function. */
void nh_tape_prepare_1(const nh_program *p, double *work);
void nh_tape_prepare_4(const nh_program *p, double *work);
void nh_tape_prepare_8(const nh_program *p, double *work);
void nh_tape_prepare_quad(const nh_program *p, nh_quad *work);
void nh_tape_run_1(const nh_program *p, int function, const double *c, const double *const *x, double *y, double *work);
void nh_tape_run_4(const nh_program *p, int function, const double *c, const double *const *x, double *y, double *work);
void nh_tape_run_8(const nh_program *p, int function, const double *c, const double *const *x, double *y, double *work);
void nh_tape_run_quad(const nh_program *p, int function, const nh_quad *c, const nh_quad *const *x, nh_quad *y,
                      nh_quad *work);

/* C source of the whole program for `lanes` lanes: functions nh_f0, nh_f1, … of the signature
 * void nh_fN(const double *c, const double *const *x, double *y). */
void nh_program_emit(const nh_program *p, int lanes, nh_text *out);
/* The same as inlined functions, for a source that begins with base/real.h for so many lanes. */
void nh_program_emit_inline(const nh_program *p, int lanes, nh_text *out);

typedef struct nh_function_name {
    const char *name, *about;
} nh_function_name;

/* For one lane and to be read: static functions (const nh_real *c, const nh_real **x, nh_real *y) of these names, which
 * call base/real.h, base/angle.h and the C library's other functions of double. */
void nh_program_emit_portable(const nh_program *p, const nh_function_name *names, nh_text *out);
/* Does it take nothing but what every machine computes alike: + - * / sqrt, comparisons, sine and cosine? */
bool nh_program_is_exact(const nh_program *p);

#endif
