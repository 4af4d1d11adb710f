/* SPDX-License-Identifier: MIT */
/* Expressions as text: what is printed reads back as the same node; LaTeX is what one would write. */
#include "test.h"

#include "base/resource.h"
#include "model/derived.h"
#include "model/model.h"

#include <stdlib.h>

static nh_model *parse(const char *text)
{
    nh_model *m;
    nh_error error = {0};
    char message[2048];
    if (nh_model_parse(text, strlen(text), "test", NULL, &m, &error) != NH_OK) {
        nh_error_format(&error, message, sizeof message);
        printf("%s\n", message);
        CHECK(false);
    }
    return m;
}

/* ---- Round trips ---- */

enum { MOST = 4000 };

typedef struct list {
    nh_expr item[MOST];
    int count;
} list;

static void add(list *l, const nh_model *m, nh_expr e)
{
    bool closed = nh_get(m->graph, e).free == 0;
    if (e && closed && !nh_depends(m->graph, e, 1u << NH_LAMBDA) && l->count < MOST)
        l->item[l->count++] = e;
}

/* A family is tested as the sum of its members. */
static void add_constraints(list *l, const nh_model *m, const nh_constraint *c, int count)
{
    for (int i = 0; i < count; i++)
        add(l, m, nh_sum(m->graph, NH_OPEN, nh_affine_constant(c[i].count), c[i].value));
}

static void add_all(list *l, const nh_model *m, const nh_expr *e, int count)
{
    for (int i = 0; e && i < count; i++)
        add(l, m, e[i]);
}

static void add_entries(list *l, const nh_model *m, const nh_field *f)
{
    for (int i = 0; i < f->rows; i++)
        add(l, m, nh_field_entry(m->graph, f, i, 0));
}

/* Every expression of a model; the same in two models of the same text. */
static void collect(list *l, const nh_model *m)
{
    l->count = 0;
    add(l, m, m->lagrangian);
    add_constraints(l, m, m->constraint, m->constraints);
    add_constraints(l, m, m->holonomic_constraint, m->holonomic_constraints);
    for (int i = 0; i < m->invariants; i++)
        add(l, m, m->invariant[i].value);
    for (int i = 0; i < m->symmetries; i++)
        add_entries(l, m, &m->symmetry[i].field);
    for (int i = 0; i < m->parts; i++)
        add_entries(l, m, &m->part[i].field);
    add_entries(l, m, &m->force);
    add_all(l, m, m->parameter_default, m->parameters);
    add_all(l, m, m->initial_q, m->n);
    add_all(l, m, m->exact_q, m->n);
    add(l, m, nh_model_energy(m));
}

static void round_trip(const char *name, const char *text)
{
    static list before, after;
    nh_model *m = parse(text);
    nh_text longer = {0};
    if (!m)
        return;
    nh_spelling spelling = nh_model_spelling(m, false);
    collect(&before, m);
    nh_text_add(&longer, "%s\n", text);
    for (int i = 0; i < before.count; i++) {
        nh_text_add(&longer, "observable round_trip_%d = ", i);
        nh_print(m->graph, before.item[i], &spelling, &longer);
        nh_text_add(&longer, "\n");
    }
    nh_model *again = parse(nh_text_get(&longer));
    if (again) {
        collect(&after, again);
        CHECK_EQ_INT(after.count, before.count);
        const nh_named *read = again->observable + m->observables;
        for (int i = 0; i < before.count; i++)
            if (!CHECK_EQ_INT(read[i].value, after.item[i])) {
                nh_text shown = {0};
                nh_print(again->graph, after.item[i], &spelling, &shown);
                printf("%s: %s\n", name, nh_text_get(&shown));
                nh_text_free(&shown);
            }
    }
    nh_model_free(again);
    nh_model_free(m);
    nh_text_free(&longer);
}

TEST(catalogue_round_trips)
{
    int count;
    const nh_resource *row = nh_resource_models(&count);
    for (int i = 0; i < count; i++)
        round_trip(row[i].name, row[i].text);
}

/* ---- Random expressions ---- */

static uint64_t seed = 1;

static int draw(int count)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)count);
}

static void random_expression(nh_text *out, int depth)
{
    static const char *const atoms[] = {"x", "y",   "x'",  "theta", "m",     "p_x",  "pi",   "2",    "0.1", "3",
                                        "t", "1/3", "7.5", "1e-30", "q[2]'", "d[0]", "0.25", "q[3]", "100", "g"};
    static const char *const functions[] = {"sin(",        "sqrt(",           "abs(", "exp(", "atan2(x, ",
                                            "sum(q[i%d]*", "prod(q[i%d+1] + "};
    static const char *const operators[] = {" + ", " - ", "*", "/", " + ", "*"};
    if (depth == 0 || draw(6) == 0) {
        nh_text_add(out, "%s", atoms[draw(20)]);
        return;
    }
    int kind = draw(10);
    if (kind < 7) {
        nh_text_add(out, "(");
        random_expression(out, depth - 1);
        nh_text_add(out, "%s", operators[draw(6)]);
        random_expression(out, depth - 1);
        nh_text_add(out, "+ 11)"); /* keeps divisors from being the number 0 */
    } else if (kind < 9) {
        int function = draw(7);
        nh_text_add(out, functions[function], depth, depth);
        bool loop = function >= 5;
        random_expression(out, loop && depth > 1 ? 1 : depth - 1);
        nh_text_add(out, loop ? " for i%d = 1..n-1)" : ")", depth);
    } else {
        static const char *const powers[] = {"^2", "^(-1)", "^0.5", "^3", "^x", "^(-y)", "^(1/3)"};
        nh_text_add(out, "(");
        random_expression(out, depth - 1);
        nh_text_add(out, ")%s", powers[draw(7)]);
    }
}

/* ---- Spelling ---- */

static const char frame[] = "sizes n = 4\n"
                            "parameters m = 1, g = 9.81, p_x = 2, d[i] = i for i = 0..n\n"
                            "coordinates x, y, theta, q[1..n]\n"
                            "lagrangian x'^2 + y'^2 + theta'^2 + sum(q[i]'^2 + d[i] for i = 1..n) + p_x + m*g\n";

TEST(random_round_trips)
{
    enum { COUNT = 300 };
    for (int round = 0; round < 10; round++) {
        nh_text text = {0};
        nh_text_add(&text, "%s", frame);
        for (int i = 0; i < COUNT; i++) {
            nh_text_add(&text, "invariant e%d = ", i);
            random_expression(&text, 4);
            nh_text_add(&text, "\n");
        }
        round_trip("random", nh_text_get(&text));
        nh_text_free(&text);
    }
}

static void check_print(const char *expression, const char *expected, bool latex, bool flat)
{
    nh_text text = {0}, printed = {0};
    nh_text_add(&text, "%sobservable e = %s\n", frame, expression);
    nh_model *m = parse(nh_text_get(&text));
    if (m) {
        nh_spelling spelling = nh_model_spelling(m, latex);
        spelling.flat = flat;
        nh_print(m->graph, m->observable[0].value, &spelling, &printed);
        CHECK_STR(nh_text_get(&printed), expected);
    }
    nh_model_free(m);
    nh_text_free(&text);
    nh_text_free(&printed);
}

static void check_text(const char *expression, const char *expected)
{
    check_print(expression, expected, false, false);
}

TEST(texts)
{
    check_text("1/2*m*x'^2", "m*x'^2/2");
    check_text("x - y", "x - y");
    check_text("-x + y", "y - x");
    check_text("-x - y", "-x - y");
    check_text("x - (y + theta)", "x - (y + theta)");
    check_text("x*(y + 1)", "x*(y + 1)");
    check_text("-(x + y)/2", "-(x + y)/2");
    check_text("(x + y)^2", "(x + y)^2");
    check_text("x^(-2)", "1/x^2");
    check_text("x^0.3", "x^0.3");
    check_text("x^(1/3)", "x^(1/3)");
    check_text("x^y^theta", "x^(y^theta)");
    check_text("(x^y)^theta", "(x^y)^theta");
    check_text("x/(y*theta)", "x/(y*theta)");
    check_text("3*x/(2*y)", "3*x/(2*y)");
    check_text("0.1*x", "0.1*x");
    check_text("-0.1*x", "-0.1*x");
    check_text("1/3", "1/3");
    check_text("y + 2/3", "y + 2/3");
    check_text("atan2(x, -y)", "atan2(x, -y)");
    check_text("sqrt(x)^3*pi", "pi*sqrt(x)^3");
    check_text("q[2]' - q[3]", "q[2]' - q[3]");
    check_text("1e-30*x", "1e-30*x");
    check_text("x*(y/theta)", "y/theta*x");
}

TEST(loops)
{
    check_text("sum(q[i]^2 for i = 1..n)", "sum(q[i]^2 for i = 1..4)");
    check_text("sum(q[i+1] - q[i] for i = 1..n-1)", "sum(q[i+1] - q[i] for i = 1..3)");
    check_text("sum(q[i]*d[i-1] for i = 2..n)", "sum(d[i]*q[i+1] for i = 1..3)");
    check_text("sum(i*q[n+1-i] for i = 1..n)", "sum(i*q[5-i] for i = 1..4)");
    check_text("sum(q[i]*sum(q[j] for j = 1..i) for i = 1..n)", "sum(q[i]*sum(q[j] for j = 1..i) for i = 1..4)");
    check_text("sum(sum(q[i-j] for j = 1..i-1) for i = 1..n)", "sum(sum(q[i-j] for j = 1..i-1) for i = 1..4)");
    check_text("2*prod(q[i] for i = 1..n)", "2*prod(q[i] for i = 1..4)");
}

TEST(flat_texts)
{
    check_print("x + (y + (theta + q[1]))", "x + y + theta + q[1]", false, true);
    check_print("x*(y/theta)/2", "x*y/(2*theta)", false, true);
}

TEST(latex)
{
    check_print("m/2*x'^2", "\\frac{m \\dot{x}^{2}}{2}", true, true);
    check_print("p_x*sin(theta)^2", "p_{x} \\sin^{2} \\theta", true, true);
    check_print("q[2]'*cos(2*theta)", "\\dot{q}_{2} \\cos\\left(2 \\theta\\right)", true, true);
    check_print("sqrt(x)/(y + 1)", "\\frac{\\sqrt{x}}{y + 1}", true, true);
    check_print("exp(-x)", "e^{-x}", true, true);
    check_print("sum(q[i] for i = 1..n)", "\\sum_{i=1}^{4} q_{i}", true, true);
    check_print("abs(x)*(x - 1e-30)", "\\left\\lvert x\\right\\rvert \\left(x - 1 \\cdot 10^{-30}\\right)", true, true);
}

TEST(deep_expressions)
{
    enum { DEPTH = 100000 };
    nh_model *m = parse(frame);
    if (!m)
        return;
    nh_expr e = nh_component(m->graph, NH_Q, 0);
    for (int i = 0; i < DEPTH; i++)
        e = nh_call(m->graph, NH_F_exp, nh_mul(m->graph, nh_component(m->graph, NH_Q, 1), e), 0);
    nh_spelling spelling = nh_model_spelling(m, false);
    nh_text text = {0};
    nh_print(m->graph, e, &spelling, &text);
    CHECK(text.length > 6u * DEPTH);
    nh_text_free(&text);
    spelling.limit = 100;
    nh_print(m->graph, e, &spelling, &text);
    CHECK(text.length < 120);
    nh_text_free(&text);
    nh_model_free(m);
}

TEST_MAIN(RUN(catalogue_round_trips), RUN(random_round_trips), RUN(texts), RUN(loops), RUN(flat_texts), RUN(latex),
          RUN(deep_expressions))
