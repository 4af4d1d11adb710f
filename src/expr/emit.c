/* SPDX-License-Identifier: MIT */
/* The tape as C. One line of the tape is one statement; values are local constants in the block that defines them, so
 * that the compiler sees what the interpreter does, and nothing of a model but numbers. The source includes nothing: it
 * begins with base/real.h and declares the functions that it calls. The portable form is for people as well: it names
 * inputs as the model does, and calls the functions of math.h. */
#include "base/resource.h"
#include "expr/math.h"
#include "expr/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
    const nh_program *p;
    const nh_tape *t;
    int lanes;
    bool portable;
    nh_text *out;
} printer;

/* Inputs in the portable form: the enumerator of the space, and what it is called. */
static const struct {
    const char *space, *name;
} inputs[NH_SPACES] = {
    [NH_TIME] = {"NH_TIME", "t"},
    [NH_PARAMETER] = {"NH_PARAMETER", "parameter"},
    [NH_Q] = {"NH_Q", "q"},
    [NH_V] = {"NH_V", "v"},
    [NH_LAMBDA] = {"NH_LAMBDA", "lambda"},
    [NH_D_TIME] = {"NH_D_TIME", "dt"},
    [NH_D_PARAMETER] = {"NH_D_PARAMETER", "dparameter"},
    [NH_D_Q] = {"NH_D_Q", "dq"},
    [NH_D_V] = {"NH_D_V", "dv"},
    [NH_D_LAMBDA] = {"NH_D_LAMBDA", "dlambda"},
    [NH_Q1] = {"NH_Q1", "q1"},
};

static void print_affine(const printer *s, nh_affine a)
{
    nh_text_add(s->out, "%d", a.constant);
    for (int i = 0; i < a.terms; i++)
        nh_text_add(s->out, " + %d * i%d", a.term[i].factor, a.term[i].index);
}

/* The fewest digits that read back as the same number. */
static void print_decimal(const printer *s, double x)
{
    char digits[40];
    int precision = 1;
    do
        snprintf(digits, sizeof digits, "%.*g", precision, x);
    while (precision++ < 17 && strtod(digits, NULL) != x);
    const char *whole = strpbrk(digits, ".en") ? "" : ".0";
    nh_text_add(s->out, x < 0 ? "(%s%s)" : "%s%s", digits, whole);
}

static void print_literal(const printer *s, const nh_literal *l)
{
    if (s->portable)
        print_decimal(s, nh_literal_double(l));
    else
        nh_text_add(s->out, "nh_set(%a)", nh_literal_double(l));
}

static void print_space(const printer *s, nh_space space)
{
    if (s->portable)
        nh_text_add(s->out, "%s", inputs[space].name);
    else
        nh_text_add(s->out, "x%d", (int)space);
}

static void print_operand(const printer *s, nh_operand o)
{
    uint32_t number = nh_operand_number(o);
    const nh_reference *r;
    switch (nh_operand_kind_of(o)) {
    case NH_O_VALUE:
        nh_text_add(s->out, "r%u", number);
        break;
    case NH_O_LITERAL:
        print_literal(s, &s->p->literal[number]);
        break;
    case NH_O_CONSTANT:
        nh_text_add(s->out, "c[%u]", number);
        break;
    default:
        r = &s->p->reference[number];
        print_space(s, r->space);
        nh_text_add(s->out, "[%d]", r->component.constant);
    }
}

/* Of base/angle.h. */
static bool is_circular(nh_function f)
{
    return f == NH_F_sin || f == NH_F_cos;
}

static void print_call(const printer *s, const char *name, const nh_line *line, bool two)
{
    const bool call = line->op == NH_T_CALL1 || line->op == NH_T_CALL2;
    const bool of_library = s->portable && call && !is_circular(line->function);
    nh_text_add(s->out, of_library ? "%s(" : "nh_%s(", name);
    print_operand(s, line->a);
    if (two) {
        nh_text_add(s->out, ", ");
        print_operand(s, line->b);
    }
    nh_text_add(s->out, ")");
}

static void print_binary(const printer *s, const nh_line *line, char operator)
{
    print_operand(s, line->a);
    nh_text_add(s->out, " %c ", operator);
    print_operand(s, line->b);
}

/* The right-hand side of a line that defines a value. */
static void print_value(const printer *s, const nh_line *line)
{
    static const char *const function[] = {[NH_T_SQRT] = "sqrt", [NH_T_ABS] = "abs", [NH_T_SIGN] = "sign",
                                           [NH_T_MIN] = "min",   [NH_T_MAX] = "max", [NH_T_LESS] = "less"};
    switch ((nh_tape_op)line->op) {
    case NH_T_ADD:
    case NH_T_SUB:
    case NH_T_MUL:
    case NH_T_DIV:
        print_binary(s, line, "+-*/"[line->op - NH_T_ADD]);
        break;
    case NH_T_NEG:
        nh_text_add(s->out, "-");
        print_operand(s, line->a);
        break;
    case NH_T_COPY:
        print_operand(s, line->a);
        break;
    case NH_T_CALL1:
    case NH_T_CALL2:
        print_call(s, nh_function_get(line->function)->name, line, line->op == NH_T_CALL2);
        break;
    case NH_T_LOAD:
        if (s->p->reference[line->b].constants)
            nh_text_add(s->out, "c");
        else
            print_space(s, s->p->reference[line->b].space);
        nh_text_add(s->out, "[");
        print_affine(s, s->p->reference[line->b].component);
        nh_text_add(s->out, "]");
        break;
    case NH_T_INDEX:
        nh_text_add(s->out, s->portable ? "nh_set((nh_real)(" : "nh_set((double)(");
        print_affine(s, s->p->affine[line->b]);
        nh_text_add(s->out, "))");
        break;
    case NH_T_TOTAL:
        nh_text_add(s->out, "(p%u[0] %c p%u[2]) %c (p%u[1] %c p%u[3])", line->a, line->function ? '*' : '+', line->a,
                    line->function ? '*' : '+', line->a, line->function ? '*' : '+', line->a);
        break;
    default:
        print_call(s, function[line->op], line, line->op >= NH_T_MIN);
    }
}

static void indent(const printer *s, int depth)
{
    nh_text_add(s->out, "%*s", 4 * (depth + 1), "");
}

static void print_store(const printer *s, const nh_line *line)
{
    nh_text_add(s->out, "y[");
    print_affine(s, s->p->affine[line->b]);
    nh_text_add(s->out, "] %s ", line->op == NH_T_GAIN ? "+=" : "=");
    print_operand(s, line->a);
    nh_text_add(s->out, ";\n");
}

/* One line that is not a loop. `part` spells which partial result a summand goes to. */
static void print_line(const printer *s, const nh_line *line, const char *part)
{
    indent(s, line->depth);
    switch ((nh_tape_op)line->op) {
    case NH_T_STORE:
    case NH_T_GAIN:
        print_store(s, line);
        break;
    case NH_T_FILL:
        if (s->portable && line->b == 1) {
            nh_text_add(s->out, "y[%u] = nh_set(0);\n", line->a);
            break;
        }
        nh_text_add(s->out, "for (long i = 0; i < %u; i++) y[%u + i] = nh_set(0);\n", line->b, line->a);
        break;
    case NH_T_START: {
        const char *unit = line->function ? "1.0" : "-0.0";
        nh_text_add(s->out, "nh_real p%u[4] = {nh_set(%s), nh_set(%s), nh_set(%s), nh_set(%s)};\n", line->value, unit,
                    unit, unit, unit);
        break;
    }
    case NH_T_PART:
        nh_text_add(s->out, "p%u[%s] %s ", line->value, part, line->function ? "*=" : "+=");
        print_operand(s, line->a);
        nh_text_add(s->out, ";\n");
        break;
    default:
        nh_text_add(s->out, "const nh_real r%u = ", line->value);
        print_value(s, line);
        nh_text_add(s->out, ";\n");
    }
}

/* A sum without loops inside: blocks of four summands, one for each partial sum, which the compiler can keep in
 * registers or in the lanes of one; then the rest. */
static bool is_inner_sum(const printer *s, uint32_t loop)
{
    const nh_line *line = s->t->line;
    bool sum = loop > 0 && line[loop - 1].op == NH_T_START;
    for (uint32_t i = loop + 1; sum && i < line[loop].b; i++)
        sum = line[i].op != NH_T_LOOP;
    return sum;
}

static void print_body(const printer *s, uint32_t loop, const char *part)
{
    for (uint32_t i = loop + 1; i < s->t->line[loop].b; i++)
        print_line(s, &s->t->line[i], part);
}

static void print_inner_sum(const printer *s, uint32_t loop)
{
    const nh_line *line = &s->t->line[loop];
    int i = line->slot, depth = line->depth;
    char part[32];
    snprintf(part, sizeof part, "i%d - j%d", i, i);
    indent(s, depth);
    nh_text_add(s->out, "long j%d = 0;\n", i);
    indent(s, depth);
    nh_text_add(s->out, "for (; j%d + 4 <= ", i);
    print_affine(s, s->p->affine[line->a]);
    nh_text_add(s->out, "; j%d += 4)\n", i);
    indent(s, depth);
    nh_text_add(s->out, "for (long i%d = j%d; i%d < j%d + 4; i%d++) {\n", i, i, i, i, i);
    print_body(s, loop, part);
    indent(s, depth);
    nh_text_add(s->out, "}\n");
    indent(s, depth);
    nh_text_add(s->out, "for (long i%d = j%d; i%d < ", i, i, i);
    print_affine(s, s->p->affine[line->a]);
    nh_text_add(s->out, "; i%d++) {\n", i);
    print_body(s, loop, part);
    indent(s, depth);
    nh_text_add(s->out, "}\n");
}

static void print_loop_head(const printer *s, const nh_line *line)
{
    indent(s, line->depth);
    nh_text_add(s->out, "for (long i%d = 0; i%d < ", line->slot, line->slot);
    print_affine(s, s->p->affine[line->a]);
    nh_text_add(s->out, "; i%d++) {\n", line->slot);
}

static void print_lines(const printer *s)
{
    for (uint32_t i = 0; i < s->t->lines; i++) {
        const nh_line *line = &s->t->line[i];
        char part[32];
        snprintf(part, sizeof part, "i%d & 3", line->slot);
        if (line->op == NH_T_LOOP && !s->portable && is_inner_sum(s, i)) {
            indent(s, line->depth);
            nh_text_add(s->out, "{\n");
            print_inner_sum(s, i);
            indent(s, line->depth);
            nh_text_add(s->out, "}\n");
            i = line->b;
        } else if (line->op == NH_T_LOOP) {
            print_loop_head(s, line);
        } else if (line->op == NH_T_END) {
            indent(s, line->depth);
            nh_text_add(s->out, "}\n");
        } else {
            print_line(s, line, part);
        }
    }
}

/* The inputs that a tape reads, as bits by space; the constants as the bit behind them. */
static uint32_t spaces_used(const nh_program *p, const nh_tape *t)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->lines; i++) {
        const nh_line *line = &t->line[i];
        const nh_operand operand[2] = {line->a, line->b};
        for (int k = 0; k < 2 && k < nh_tape_operands(line->op); k++)
            if (nh_operand_kind_of(operand[k]) == NH_O_INPUT)
                used |= 1u << p->reference[nh_operand_number(operand[k])].space;
            else if (nh_operand_kind_of(operand[k]) == NH_O_CONSTANT)
                used |= 1u << NH_SPACES;
        if (line->op == NH_T_LOAD)
            used |= 1u << (p->reference[line->b].constants ? (int)NH_SPACES : (int)p->reference[line->b].space);
    }
    return used;
}

static void print_function(const printer *s, int number, const char *linkage)
{
    nh_text_add(s->out,
                "\n%svoid nh_f%d(const double *c_, const double *const *x_, double *restrict y_)\n"
                "{\n"
                "    const nh_real *const c = (const nh_real *)c_;\n"
                "    nh_real *const y = (nh_real *)y_;\n",
                linkage, number);
    uint32_t used = spaces_used(s->p, s->t);
    for (int i = 0; i < NH_SPACES; i++)
        if (used >> i & 1)
            nh_text_add(s->out, "    const nh_real *const x%d = (const nh_real *)x_[%d];\n", i, i);
    nh_text_add(s->out, "    (void)c;\n    (void)x_;\n");
    print_lines(s);
    nh_text_add(s->out, "}\n");
}

/* SLEEF has functions for 1, 2, 4 and 8 lanes with the same result; other numbers are several calls. */
static void declare_sleef(const printer *s, const char *name, bool two)
{
    const char *type = s->lanes == 1 ? "double" : "nh_lanes";
    nh_text_add(s->out, "__attribute__((const)) %s NH_SLEEF_%d(%s)(%s%s%s);\n", type, s->lanes, name, type,
                two ? ", " : "", two ? type : "");
    nh_text_add(s->out, "NH_INLINE nh_real nh_%s(nh_real a%s)\n{\n", name, two ? ", nh_real b" : "");
    if (s->lanes == 1)
        nh_text_add(s->out, "    return NH_SLEEF_1(%s)(a%s);\n}\n", name, two ? ", b" : "");
    else
        nh_text_add(s->out,
                    "    nh_real r;\n"
                    "    for (int k = 0; k < (int)(sizeof r / sizeof(nh_lanes)); k++)\n"
                    "        ((nh_lanes *)&r)[k] = NH_SLEEF_%d(%s)(((nh_lanes *)&a)[k]%s);\n"
                    "    return r;\n}\n",
                    s->lanes, name, two ? ", ((nh_lanes *)&b)[k]" : "");
}

/* What SLEEF takes in one call: no more than the registers of the target, in which it would look. */
static void name_sleef(const printer *s)
{
    static const char width[] = "typedef double nh_lanes __attribute__((vector_size(%d), aligned(8)));\n"
                                "#define NH_SLEEF_%d(name) Sleef_finz_##name##%s\n";
    if (s->lanes == 1) {
        nh_text_add(s->out, "#define NH_SLEEF_1(name) Sleef_finz_##name##d1_u10purecfma\n");
        return;
    }
    nh_text_add(s->out, "#if defined __AVX512F__ && NH_LANES >= 8\n");
    nh_text_add(s->out, width, 64, s->lanes, "d8_u10avx512f");
    nh_text_add(s->out, "#elif defined __AVX__ && NH_LANES >= 4\n");
    nh_text_add(s->out, width, 32, s->lanes, "d4_u10avx2");
    nh_text_add(s->out, "#else\n");
    nh_text_add(s->out, width, 16, s->lanes, "d2_u10avx2128");
    nh_text_add(s->out, "#endif\n");
}

static void declare_libm(const printer *s, const char *name, bool two)
{
    nh_text_add(s->out, "double %s(double%s);\n", name, two ? ", double" : "");
    nh_text_add(s->out, "NH_INLINE nh_real nh_%s(nh_real a%s)\n{\n", name, two ? ", nh_real b" : "");
    if (s->lanes == 1)
        nh_text_add(s->out, "    return %s(a%s);\n}\n", name, two ? ", b" : "");
    else
        nh_text_add(s->out, "    for (int l = 0; l < NH_LANES; l++)\n        a[l] = %s(a[l]%s);\n    return a;\n}\n",
                    name, two ? ", b[l]" : "");
}

static void find_calls(const nh_program *p, int used[NH_FUNCTIONS])
{
    for (int f = 0; f < p->functions; f++)
        for (uint32_t i = 0; i < p->function[f].lines; i++) {
            const nh_line *line = &p->function[f].line[i];
            if (line->op == NH_T_CALL1 || line->op == NH_T_CALL2)
                used[line->function]++;
        }
}

/* In the middle of other work sine and cosine take least time; many of them take a compiler long, and a processor does
 * not keep so many instructions. */
static void declare_angles(const printer *s, int calls)
{
    enum { FEW = 32 };
    if (calls > 0)
        nh_text_add(s->out, "#define NH_CIRCULAR %s\ndouble sin(double), cos(double);\n%s",
                    calls > FEW ? "static __attribute__((noinline, const, unused))" : "NH_INLINE",
                    nh_resource_text("angle.h"));
}

static void declare_functions(const printer *s)
{
    int used[NH_FUNCTIONS] = {0};
    find_calls(s->p, used);
    declare_angles(s, used[NH_F_sin] + used[NH_F_cos]);
    for (nh_function f = 0; f < NH_FUNCTIONS; f++) {
        bool two = nh_function_get(f)->arguments == 2;
        if (!used[f] || is_circular(f))
            continue;
        if (s->p->math->sleef)
            declare_sleef(s, s->p->math->row[f].symbol, two);
        else
            declare_libm(s, s->p->math->row[f].symbol, two);
    }
}

static void print_functions(const nh_program *p, int lanes, const char *linkage, nh_text *out)
{
    printer s = {.p = p, .lanes = lanes, .out = out};
    if (p->math->sleef)
        name_sleef(&s);
    declare_functions(&s);
    for (int f = 0; f < p->functions; f++) {
        s.t = &p->function[f];
        print_function(&s, f, linkage);
    }
}

void nh_program_emit(const nh_program *p, int lanes, nh_text *out)
{
    nh_text_add(out, "#define NH_LANES %d\n%s", lanes, nh_resource_text("real.h"));
    print_functions(p, lanes, "", out);
}

void nh_program_emit_inline(const nh_program *p, int lanes, nh_text *out)
{
    print_functions(p, lanes, "NH_INLINE ", out);
}

/* ---- The portable form ---- */

static void print_portable(const printer *s, const nh_function_name *as)
{
    const uint32_t used = spaces_used(s->p, s->t), constants = 1u << NH_SPACES;
    nh_text_add(s->out,
                "\n/* %s */\n"
                "static inline void %s(const nh_real *c, const nh_real **x, nh_real *y)\n"
                "{\n",
                as->about, as->name);
    for (int i = 0; i < NH_SPACES; i++)
        if (used >> i & 1)
            nh_text_add(s->out, "    const nh_real *const %s = x[%s];\n", inputs[i].name, inputs[i].space);
    if (!(used & constants))
        nh_text_add(s->out, "    (void)c;\n");
    if (!(used & (constants - 1)))
        nh_text_add(s->out, "    (void)x;\n");
    if (s->t->lines == 0)
        nh_text_add(s->out, "    (void)y;\n");
    print_lines(s);
    nh_text_add(s->out, "}\n");
}

void nh_program_emit_portable(const nh_program *p, const nh_function_name *names, nh_text *out)
{
    printer s = {.p = p, .lanes = 1, .portable = true, .out = out};
    for (int f = 0; f < p->functions; f++) {
        s.t = &p->function[f];
        print_portable(&s, &names[f]);
    }
}

bool nh_program_is_exact(const nh_program *p)
{
    int used[NH_FUNCTIONS] = {0};
    find_calls(p, used);
    for (nh_function f = 0; f < NH_FUNCTIONS; f++)
        if (used[f] && !is_circular(f))
            return false;
    return true;
}
