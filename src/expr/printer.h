/* SPDX-License-Identifier: MIT */
/* Inside of printing: the parts of an expression that are still to be written, on a stack. */
#ifndef NH_EXPR_PRINTER_H
#define NH_EXPR_PRINTER_H

#include "expr/print.h"

/* How tightly a text binds; what binds less than asked for gets parentheses. */
typedef enum nh_level { NH_LEVEL_ANY, NH_LEVEL_SUM, NH_LEVEL_PRODUCT, NH_LEVEL_POWER = 4, NH_LEVEL_ATOM } nh_level;

typedef struct nh_todo {
    enum { NH_DO_TEXT, NH_DO_EXPR, NH_DO_NUMBER, NH_DO_RANGE, NH_DO_END_LOOP } kind;
    nh_level level;
    bool negate; /* write -e */
    const char *text;
    nh_expr e;
    nh_number number;
} nh_todo;

typedef struct nh_printer {
    const nh_graph *g;
    nh_spelling spelling;
    nh_text *out;
    nh_todo *todo; /* the next one last */
    size_t capacity, count;
    bool failed;
} nh_printer;

/* A factor or a divisor. */
typedef struct nh_operand_of {
    nh_expr e;
    bool divides;
} nh_operand_of;

typedef struct nh_operands {
    nh_operand_of *item;
    size_t capacity, count;
    bool failed;
} nh_operands;

/* ---- print.c: what is to be written, in order; nh_do_order turns all since `mark` around ---- */
void nh_do(nh_printer *p, nh_todo todo);
void nh_do_text(nh_printer *p, const char *text);
void nh_do_expr(nh_printer *p, nh_expr e, nh_level level);
void nh_do_signed(nh_printer *p, nh_expr e, nh_level level, bool negate);
void nh_do_integer(nh_printer *p, int64_t value);
void nh_do_order(nh_printer *p, size_t mark);

/* ---- print_terms.c ---- */

/* The summands of a sum, or factors and divisors of a product without its numeric factor: in the order in which they
 * read back as the same node, or all of them where the spelling is flat. The caller frees the items. */
nh_operands nh_terms_of(const nh_printer *p, nh_expr e);
nh_operands nh_factors_of(const nh_printer *p, nh_expr e);
/* The rational factor of e (1 if it has none) and the rest (0 if there is none). */
nh_number nh_split_factor(const nh_graph *g, nh_expr e, nh_expr *rest);
bool nh_is_negative(const nh_graph *g, nh_expr e);
/* Is it a sum of which all terms have a minus, so that a product can take it? Only where the spelling is flat. */
bool nh_all_negative(nh_printer *p, nh_expr e);
/* Is it written as a fraction rather than with a point? */
bool nh_is_fraction(nh_number x);

/* ---- print_index.c ---- */
nh_level nh_index_level(nh_affine a, const nh_spelling *s);
/* Names the index of a sum or product. */
void nh_open_sum(nh_spelling *s, const nh_graph *g, nh_expr e);

/* ---- print_latex.c ---- */
/* Factors and divisors with a number top/den, which is positive. */
void nh_latex_product(nh_printer *p, nh_operands *list, nh_number top, int64_t den);
void nh_latex_call(nh_printer *p, nh_node n, int32_t exponent);
void nh_latex_name(const char *name, bool dot, const char *subscript, nh_text *out);

#endif
