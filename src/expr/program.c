/* SPDX-License-Identifier: MIT */
/* Making and asking a program. */
#include "expr/math.h"
#include "expr/tape.h"

#include <stdlib.h>

static bool lower_all(nh_graph *g, nh_program *p, const nh_field *fields, const nh_layout *layouts)
{
    nh_lowering *l = nh_lowering_new(g, p);
    bool good = l != NULL;
    for (int i = 1; good && i < p->functions; i++)
        good = nh_lower_field(l, &fields[i - 1], layouts ? layouts[i - 1] : NH_DENSE, &p->function[i]);
    good = good && nh_lower_constants(l, &p->function[0]);
    nh_lowering_free(l);
    return good;
}

/* The code of every function. Literals must be complete before places are given: places follow them. */
static bool encode_all(nh_program *p)
{
    nh_tape *flat = calloc((size_t)p->functions, sizeof *flat);
    bool good = flat != NULL;
    for (int i = 0; good && i < p->functions; i++)
        good = nh_unroll(p, &p->function[i], &flat[i]);
    for (int i = 0; good && i < p->functions; i++) {
        size_t work = nh_assign_places(p, &flat[i]);
        good = work > 0;
        p->work = work > p->work ? work : p->work;
        p->function[i].code = flat[i].code;
        p->function[i].codes = flat[i].codes;
    }
    for (int i = 0; flat && i < p->functions; i++)
        free(flat[i].line);
    free(flat);
    return good;
}

nh_status nh_program_new(nh_graph *g, const nh_field *fields, const nh_layout *layouts, int count, int parameters,
                         nh_program **out, nh_error *error)
{
    *out = NULL;
    nh_program *p = calloc(1, sizeof *p);
    if (p) {
        p->functions = count + 1;
        p->parameters = parameters;
        p->math = nh_math_get();
        p->function = calloc((size_t)count + 1, sizeof *p->function);
    }
    if (p && p->function && lower_all(g, p, fields, layouts) && encode_all(p)) {
        *out = p;
        return NH_OK;
    }
    nh_program_free(p);
    nh_status status = nh_graph_report(g, error);
    return status ? status : nh_fail(error, NH_MEMORY, "out of memory while building the tape");
}

void nh_program_free(nh_program *p)
{
    if (!p)
        return;
    for (int i = 0; p->function && i < p->functions; i++) {
        free(p->function[i].line);
        free(p->function[i].code);
    }
    free(p->function);
    free(p->literal);
    free(p->reference);
    free(p->affine);
    nh_arena_free(&p->arena);
    free(p);
}

int nh_tape_operands(nh_tape_op op)
{
    static const uint8_t operands[] = {
        [NH_T_ADD] = 2,   [NH_T_SUB] = 2,   [NH_T_MUL] = 2,   [NH_T_DIV] = 2,  [NH_T_NEG] = 1,  [NH_T_COPY] = 1,
        [NH_T_SQRT] = 1,  [NH_T_ABS] = 1,   [NH_T_SIGN] = 1,  [NH_T_MIN] = 2,  [NH_T_MAX] = 2,  [NH_T_LESS] = 2,
        [NH_T_CALL1] = 1, [NH_T_CALL2] = 2, [NH_T_STORE] = 1, [NH_T_GAIN] = 1, [NH_T_PART] = 1, [NH_T_TOTAL] = 0,
    };
    return operands[op];
}

double nh_literal_double(const nh_literal *l)
{
    return l->pi ? 0x1.921fb54442d18p+1 : nh_number_double(l->number);
}

int nh_program_functions(const nh_program *p)
{
    return p->functions;
}

int nh_program_constants(const nh_program *p)
{
    return p->constants;
}

int nh_program_outputs(const nh_program *p, int function)
{
    return p->function[function].outputs;
}

uint32_t nh_program_length(const nh_program *p, int function)
{
    return p->function[function].codes;
}

size_t nh_program_work(const nh_program *p)
{
    return p->work;
}
