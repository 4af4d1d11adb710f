/* SPDX-License-Identifier: MIT */
/* The tape: what a function is lowered to, and what both backends read.
 *
 * First form (`line`): every value is assigned once; the C backend prints this. Second form (`code`): short loops are
 * written out, and values have places in a work space that is reused; the interpreter runs this. Both do the same
 * operations in the same order.
 *
 * A sum has four partial sums, taken in turn, then added as (r0 + r2) + (r1 + r3): short chains, one order everywhere.
 * They start from -0.0, the only number that leaves every summand as it is. Products likewise, from 1. */
#ifndef NH_EXPR_TAPE_H
#define NH_EXPR_TAPE_H

#include "expr/program.h"

typedef enum nh_tape_op {
    NH_T_ADD, /* value = a + b */
    NH_T_SUB,
    NH_T_MUL,
    NH_T_DIV,
    NH_T_NEG, /* value = -a */
    NH_T_COPY,
    NH_T_SQRT,
    NH_T_ABS,
    NH_T_SIGN,
    NH_T_MIN,
    NH_T_MAX,
    NH_T_LESS,
    NH_T_CALL1, /* elementary functions */
    NH_T_CALL2,
    NH_T_LOAD,  /* value = reference b, which varies with loops */
    NH_T_INDEX, /* value = affine b as a real */
    NH_T_STORE, /* output[affine b] = a */
    NH_T_GAIN,  /* output[affine b] += a */
    NH_T_FILL,  /* output[a … a+b-1] = 0 */
    NH_T_LOOP,  /* counter `slot` = 0 … affine a; b is the line of the matching end */
    NH_T_END,   /* b is the line of the matching loop */
    NH_T_START, /* four partial results value … value+3 = -0.0 (function 0) or 1 (function 1) */
    NH_T_PART,  /* partial result value + (counter & 3) gains a: added or multiplied (function) */
    NH_T_TOTAL, /* value = combined partial results a … a+3 */
    /* in the second form alone: */
    NH_T_ADD_NEG, /* value = -(a + b) */
    NH_T_SUB_NEG,
    NH_T_MUL_NEG
} nh_tape_op;

/* An operand: a kind in the upper bits, a number in the lower. */
typedef enum nh_operand_kind {
    NH_O_VALUE,    /* value of an earlier line */
    NH_O_LITERAL,  /* row of the table of literals */
    NH_O_CONSTANT, /* component of c */
    NH_O_INPUT     /* row of the table of references, not varying with loops */
} nh_operand_kind;

enum { NH_OPERAND_BITS = 28, NH_BASE_WORK = 0, NH_BASE_CONSTANT = 1, NH_BASE_INPUT = 2, NH_BASE_OUTPUT = 15 };

typedef uint32_t nh_operand;

static inline nh_operand nh_operand_make(uint32_t kind, uint32_t number)
{
    return kind << NH_OPERAND_BITS | number;
}

static inline uint32_t nh_operand_kind_of(nh_operand o)
{
    return o >> NH_OPERAND_BITS;
}

static inline uint32_t nh_operand_number(nh_operand o)
{
    return o & ((1u << NH_OPERAND_BITS) - 1);
}

typedef struct nh_line {
    uint8_t op;       /* nh_tape_op */
    uint8_t function; /* calls: nh_function; partial results: 0 sum, 1 product */
    uint8_t slot;     /* loops and partial results: which counter */
    uint8_t depth;    /* number of loops around the line */
    uint32_t value;   /* what it defines */
    uint32_t a, b;
} nh_line;

/* A component of an input that varies with loops, in terms of loop counters (not of index names). */
typedef struct nh_reference {
    nh_space space;
    bool constants; /* a parameter inside a function: read from c */
    nh_affine component;
} nh_reference;

typedef struct nh_tape {
    nh_line *line, *code;
    uint32_t lines, codes, values;
    size_t capacity;
    int outputs;
} nh_tape;

/* How many of a and b are operands (0 for lines whose a and b mean something else). */
int nh_tape_operands(nh_tape_op op);

typedef struct nh_literal {
    bool pi;
    nh_number number;
} nh_literal;

struct nh_program {
    nh_arena arena; /* texts of literals */
    nh_tape *function;
    int functions, constants, parameters;
    nh_literal *literal;
    uint32_t literals;
    nh_reference *reference;
    uint32_t references;
    nh_affine *affine; /* in terms of counters */
    uint32_t affines;
    size_t literal_capacity, reference_capacity, affine_capacity;
    size_t work; /* literals, then places of values */
    const struct nh_math *math;
};

double nh_literal_double(const nh_literal *l);

/* Lowers one field to a tape; `constants` collects the nodes that depend on parameters only (see lower.c). */
typedef struct nh_lowering nh_lowering;
nh_lowering *nh_lowering_new(nh_graph *g, nh_program *p);
bool nh_lower_field(nh_lowering *l, const nh_field *f, nh_layout layout, nh_tape *tape);
/* Function 0: parameters, then every constant that the other functions asked for. */
bool nh_lower_constants(nh_lowering *l, nh_tape *tape);
void nh_lowering_free(nh_lowering *l);

/* The same tape with short loops written out; *out owns its lines. */
bool nh_unroll(nh_program *p, const nh_tape *in, nh_tape *out);
/* Gives every value its place: fills tape->code; returns the number of places used, 0 on failure. */
size_t nh_assign_places(const nh_program *p, nh_tape *tape);

#endif
