/* SPDX-License-Identifier: MIT */
/* The model language: what texts mean, which are refused and how, what settings do, what it costs. */
#include "test.h"

#include "expr/program.h"
#include "model/model.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* ---- Helpers ---- */

static nh_model *parse(const char *text)
{
    nh_model *model;
    nh_error error;
    char message[2048];
    if (nh_model_parse(text, strlen(text), "test", NULL, &model, &error) == NH_OK)
        return model;
    nh_error_format(&error, message, sizeof message);
    test_report(false, "tests/test_language.c", 0, text, message, "a model");
    return NULL;
}

/* The message of a text that must be refused; "" if it is accepted. */
static const char *refusal(const char *text, const nh_model_options *options, nh_error *error)
{
    nh_model *model;
    *error = (nh_error){0};
    nh_model_parse(text, strlen(text), "test", options, &model, error);
    nh_model_free(model);
    return error->message;
}

static bool accepts(const char *text)
{
    nh_error error;
    return refusal(text, NULL, &error)[0] == '\0';
}

/* A text file as bytes. */
static nh_text read_file(const char *path)
{
    nh_text text = {0};
    FILE *file = fopen(path, "rb");
    char block[4096];
    size_t count;
    while (file && (count = fread(block, 1, sizeof block, file)) > 0)
        nh_text_bytes(&text, block, count);
    if (file)
        fclose(file);
    return text;
}

/* The value of a field's only entry at t = 0.5, parameters p, coordinates q, velocities v, multipliers z. */
static double evaluate(const nh_model *m, nh_expr e, const double *p, const double *q, const double *v, const double *z)
{
    const double t = 0.5;
    const double *x[NH_SPACES] = {[NH_TIME] = &t, [NH_PARAMETER] = p, [NH_Q] = q, [NH_V] = v, [NH_LAMBDA] = z};
    nh_field field = {.rows = 1, .columns = 1};
    nh_layout layout = NH_DENSE;
    nh_program *program = NULL;
    double y = NAN;
    bool good = nh_field_set(&field, 0, 0, e) &&
                nh_program_new(m->graph, &field, &layout, 1, m->parameters, &program, NULL) == NH_OK;
    if (CHECK(good)) {
        double *c = calloc((size_t)nh_program_constants(program) + 1, sizeof *c);
        double *work = calloc(nh_program_work(program) + 1, sizeof *work);
        if (c && work) {
            nh_tape_prepare_1(program, work);
            nh_tape_run_1(program, 0, NULL, x, c, work);
            nh_tape_run_1(program, 1, c, x, &y, work);
        }
        free(c);
        free(work);
    }
    nh_program_free(program);
    nh_field_free(&field);
    return y;
}

static const double q_values[16] = {0.7, -0.3, 1.1, 0.4, 2.0, -1.5}, v_values[16] = {0.2, 0.9, -0.6, 1.3, 0.1, -0.8};
static const double p_values[16] = {2, 3, 5, 7, 11, 13}, z_values[16] = {0.25, -4};

/* The value of the first observable of a text. */
static double observe(const char *text)
{
    nh_model *m = parse(text);
    double value =
        m && m->observables ? evaluate(m, m->observable[0].value, p_values, q_values, v_values, z_values) : NAN;
    nh_model_free(m);
    return value;
}

#define SCALARS "coordinates x, y\nparameters a = 2, b = 3\nlagrangian a*b*(x'^2 + y'^2)\n"
#define CHAIN   "sizes n = 4\ncoordinates q[1..n]\nlagrangian sum(q[i]'^2 for i = 1..n)\n"

/* ---- Expressions ---- */

TEST(expressions)
{
    const double x = q_values[0], y = q_values[1], u = v_values[0], a = 2, b = 3;
    const struct {
        const char *text;
        double value;
    } row[] = {
        {"1 + 2*3 - 4/8", 6.5},
        {"-x^2", -x * x},
        {"(-x)^2", x * x},
        {"2^3^2", 512},
        {"2^-1", 0.5},
        {"-2^-2", -0.25},
        {"--x + +y", x + y},
        {"a - b - 1", a - b - 1},
        {"a/b/2", a / b / 2},
        {"a*-b", -a * b},
        {"x'*y", u * y},
        {"1.5e-3 + 2E+2", 200.0015},
        {"0.1 + 0.2 - 0.3", 0},
        {"12345678901234567890.5", 12345678901234567890.5},
        {"sqrt(2)^2 - 2", 0},
        {"sin(x)^2 + cos(x)^2", 1},
        {"atan2(y, x)", atan2(y, x)},
        {"min(x, y) - max(x, y)", y - x},
        {"less(y, x) + 2*less(x, y)", 1},
        {"abs(y)*sign(y)", y},
        {"exp(log(a)) + tan(atan(x)) + asin(sin(y)) + acos(1)", a + x + y},
        {"cosh(x)^2 - sinh(x)^2 - tanh(0)", 1},
        {"2*pi*t", 2 * 3.14159265358979323846 * 0.5},
        {"x^a", x * x},
        {"b^0.5", sqrt(3)},
        {"(((x)))", x},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[256];
        snprintf(text, sizeof text, SCALARS "observable e = %s\n", row[i].text);
        if (!CHECK_NEAR(observe(text), row[i].value, 1e-14 * (1 + fabs(row[i].value))))
            printf("    in %s\n", row[i].text);
    }
}

TEST(sums)
{
    const double *q = q_values;
    const struct {
        const char *text;
        double value;
    } row[] = {
        {"sum(q[i] for i = 1..n)", q[0] + q[1] + q[2] + q[3]},
        {"sum(i*q[i] for i = 2..n-1)", 2 * q[1] + 3 * q[2]},
        {"sum(q[n+1-i]/i for i = 1..n)", q[3] + q[2] / 2 + q[1] / 3 + q[0] / 4},
        {"prod(q[i] for i = 1..3)", q[0] * q[1] * q[2]},
        {"prod(i for i = 1..5)", 120},
        {"sum(1 for i = 3..7)", 5},
        {"sum(q[9] for i = 3..2) + prod(q[9] for i = 1..0)", 1},
        {"sum(sum(q[i-j] for j = 1..i-1) for i = 1..n)", 3 * q[0] + 2 * q[1] + q[2]},
        {"sum(sum(q[j]*i for j = i..n) for i = 3..n)", 3 * (q[2] + q[3]) + 4 * q[3]},
        {"sum(sum(j for j = 1..i-3) for i = 1..6)", 1 + 3 + 6},
        {"sum(sum(sum(q[i+j-k] for k = j..j) for j = 1..i) for i = 1..3)", q[0] + 2 * q[1] + 3 * q[2]},
        {"sum(q[2*i-1] for i = 1..n/2)", q[0] + q[2]},
        {"sum((i - 2)*(i + n) for i = -1..1)", -9 - 8 - 5},
        {"n^2 - n/2", 14},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[256];
        snprintf(text, sizeof text, CHAIN "observable e = %s\n", row[i].text);
        if (!CHECK_NEAR(observe(text), row[i].value, 1e-13))
            printf("    in %s\n", row[i].text);
    }
}

TEST(lets)
{
    const double *q = q_values, *v = v_values;
    CHECK_NEAR(observe(CHAIN "let a = q[1]\nlet b = a*a\nobservable e = b + a\n"), q[0] * q[0] + q[0], 1e-14);
    CHECK_NEAR(observe(CHAIN "let w[i] = q[i]'*i for i = 2..n\nobservable e = sum(w[i+1] for i = 1..3) + w[2]\n"),
               4 * v[1] + 3 * v[2] + 4 * v[3], 1e-14);
    CHECK_NEAR(observe(CHAIN "let w[i] = q[i] for i = 1..n, u[k] = w[k+1] - w[k] for k = 1..n-1\n"
                             "observable e = sum(k*u[n-k] for k = 1..n-1)\n"),
               (q[3] - q[2]) + 2 * (q[2] - q[1]) + 3 * (q[1] - q[0]), 1e-14);
    /* the index of a let and those of sums around and inside it do not meet */
    CHECK_NEAR(observe(CHAIN "let s[i] = sum(q[j]*i for j = 1..i) for i = 1..n\n"
                             "observable e = sum(sum(s[j]*i for j = i..2) for i = 1..2)\n"),
               3 * 2 * (q[0] + q[1]) + q[0], 1e-14);
    /* 2^60 terms, of which all but 60 are shared */
    nh_text text = {0};
    nh_text_add(&text, SCALARS "let a0 = x\n");
    for (int i = 0; i < 60; i++)
        nh_text_add(&text, "let a%d = a%d + sin(a%d)\n", i + 1, i, i);
    nh_text_add(&text, "observable e = a60\n");
    CHECK(accepts(nh_text_get(&text)));
    nh_text_free(&text);
}

TEST(subscripts)
{
    const struct {
        const char *text;
        bool good;
    } row[] = {
        {"q[1] + q[n]", true},
        {"q[0]", false},
        {"q[n+1]", false},
        {"sum(q[i+1] for i = 1..n-1)", true},
        {"sum(q[i+1] for i = 1..n)", false},
        {"sum(q[i-1] for i = 1..n)", false},
        {"sum(sum(q[i-j] for j = 1..i-1) for i = 1..n)", true},
        {"sum(sum(q[i-j] for j = 1..i) for i = 1..n)", false},
        {"sum(sum(q[i-j+1] for j = 1..i) for i = 1..n)", true},
        {"sum(sum(q[i+j-3] for j = 1..i-2) for i = 1..n)", true}, /* the inner loop runs from i = 3 on */
        {"sum(sum(q[i+j-3] for j = 1..i-2) for i = 1..3)", true},
        {"sum(sum(q[i-2] for j = 1..i-2) for i = 1..n)", false}, /* but i alone goes from 1 */
        {"sum(sum(q[i-2] for j = 1..i-2) for i = 3..n)", true},
        {"sum(sum(q[i+j] for j = 1..n-i) for i = 1..n)", true},
        {"sum(sum(q[i+j] for j = 1..n-i+1) for i = 1..n)", false},
        {"sum(sum(sum(q[i+j+k-2] for k = 1..n-i-j+2) for j = 1..n-i+1) for i = 1..n)", true},
        {"sum(sum(sum(q[i+j+k-2] for k = 1..n-i-j+3) for j = 1..n-i+1) for i = 1..n)", false},
        {"sum(q[99] for i = 1..0)", true}, /* never runs */
        {"sum(sum(q[99]/q[i] for j = i+n..n) for i = 1..n)", true},
        {"sum(sum(q[99] for j = i+n..n+1) for i = 1..n)", false},
        {"sum(q[2*i] for i = 1..n/2)", true},
        {"sum(q[3*i-2] for i = 1..2)", true},
        {"sum(q[3*i-1] for i = 1..2)", false},
        {"sum(1 for i = 1..2000000000)", true},
        {"sum(q[i] for i = 1..2000000000)", false},
        {"sum(q[1000000000*i - 1999999999] for i = 2..2)", true},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[256];
        snprintf(text, sizeof text, CHAIN "observable e = %s\n", row[i].text);
        if (!CHECK(accepts(text) == row[i].good))
            printf("    in %s\n", row[i].text);
    }
}

/* ---- What a model holds ---- */

TEST(lagrangian_model)
{
    nh_model *m = parse("name   Test # of names\nabout  first\n       second\nabout  third\ncite   somebody\n"
                        "sizes  n = 3, k = 2*n - 1\nparameters m = 1, d[i] = m/(i + 1) for i = 0..2, c = d[2]\n"
                        "coordinates x, q[0..n], y\n"
                        "lagrangian m/2*(x'^2 + y'^2) + sum(q[i]'^2*d[1]*d[0] for i = 0..n) + c*y\n"
                        "constraint roll: y' = x*x'\nconstraint q[i]' = q[i-1]' for i = 1..2\nholonomic q[3] = k*y\n"
                        "force x = -x', q[i] = i for i = 1..3\nreaction y = lambda[1] + lambda[3]*lambda[4]\n"
                        "symmetry turn: x = -y, y = x\nobservable r = x^2\ninvariant e = y'\nstep 1/10\nuntil 5*m\n");
    if (!CHECK(m != NULL))
        return;
    CHECK_STR(m->name, "Test");
    CHECK_STR(m->about, "first second\nthird");
    CHECK_STR(m->cite, "somebody");
    CHECK_EQ_INT(m->kind, NH_LAGRANGIAN);
    CHECK_EQ_INT(m->sizes, 2);
    CHECK_EQ_INT(m->size[1].value, 5);
    CHECK_EQ_INT(m->n, 6);
    CHECK_EQ_INT(m->m, 3);
    CHECK_EQ_INT(m->holonomic, 1);
    CHECK_EQ_INT(m->parameters, 5);
    CHECK_EQ_INT(m->constraints, 2);
    CHECK_STR(m->constraint[0].label, "roll");
    CHECK_EQ_INT(m->constraint[0].line, 10);
    CHECK(m->constraint[1].label == NULL);
    CHECK_EQ_INT(m->constraint[1].first, 1);
    CHECK_EQ_INT(m->constraint[1].count, 2);
    CHECK_EQ_INT(m->force.pieces, 2);
    CHECK_EQ_INT(m->force.piece[1].loops, 1);
    CHECK_EQ_INT(m->force.piece[1].row.constant, 2);
    CHECK_EQ_INT(m->reaction.pieces, 1);
    CHECK_EQ_INT(m->symmetries, 1);
    CHECK_EQ_INT(m->symmetry[0].field.pieces, 2);
    CHECK_NEAR(evaluate(m, m->step, p_values, q_values, v_values, z_values), 0.1, 0);
    CHECK_NEAR(evaluate(m, m->until, p_values, q_values, v_values, z_values), 10, 0);

    nh_field field;
    if (CHECK(nh_model_constraint_field(m, &field, NULL) == NH_OK)) {
        CHECK_EQ_INT(field.rows, 3);
        CHECK_EQ_INT(field.pieces, 2);
        nh_expr entry = nh_field_entry(m->graph, &field, 2, 0); /* q[2]' - q[1]' */
        CHECK_NEAR(evaluate(m, entry, p_values, q_values, v_values, z_values), v_values[3] - v_values[2], 1e-15);
        nh_field_free(&field);
    }
    if (CHECK(nh_model_holonomic_field(m, &field, NULL) == NH_OK)) {
        nh_expr entry = nh_field_entry(m->graph, &field, 0, 0);
        CHECK_NEAR(evaluate(m, entry, p_values, q_values, v_values, z_values), q_values[4] - 5 * q_values[5], 1e-14);
        nh_field_free(&field);
    }
    nh_model_free(m);
}

TEST(names_of_components)
{
    nh_model *m = parse("sizes n = 0\nparameters theta_max = 1\ncoordinates e[1..n], x, q[3..4], y\n"
                        "lagrangian theta_max*(x'^2 + y'^2 + q[3]'^2 + q[4]'^2 + sum(e[i] for i = 1..n))\n");
    static const char *const want[] = {"x'", "q[3]'", "q[4]'", "y'"};
    for (int i = 0; m && i < 4; i++) {
        nh_text name = {0};
        nh_model_component_name(m, NH_V, i, false, &name);
        CHECK_STR(nh_text_get(&name), want[i]);
        nh_text_free(&name);
    }
    nh_text name = {0};
    if (m)
        nh_model_component_name(m, NH_LAMBDA, 1, false, &name);
    CHECK_STR(nh_text_get(&name), "lambda[2]");
    nh_text_free(&name);
    nh_model_free(m);
}

TEST(energy)
{
    nh_model *m = parse("parameters g = 9\ncoordinates x, y\nlagrangian x'^2/2 + x*y'^2 + x'*y - g*y\n");
    const double x = q_values[0], y = q_values[1], u = v_values[0], v = v_values[1];
    if (m)
        CHECK_NEAR(evaluate(m, nh_model_energy(m), p_values, q_values, v_values, z_values),
                   u * u / 2 + x * v * v + 2 * y, 1e-14);
    nh_model_free(m);
}

TEST(initial_values)
{
    nh_model *m =
        parse(CHAIN "parameters a = 2\ninitial q[2] = a, q[i] = q[i-1]/2 for i = 3..n, q[1]' = q[4] + q[1]\n");
    if (!CHECK(m != NULL))
        return;
    static const int last[] = {1, 2, 3, 4}; /* q[2], q[3], q[4], q[1]' */
    for (int i = 0; i < 4; i++)
        CHECK_EQ_INT(m->initial_order[4 + i], last[i]);
    CHECK(nh_is_number(m->graph, m->initial_q[0], 0));
    CHECK(nh_is_number(m->graph, m->initial_v[3], 0));
    CHECK_NEAR(evaluate(m, m->initial_q[2], p_values, q_values, v_values, z_values), q_values[1] / 2, 0);
    nh_model_free(m);
    CHECK(accepts(CHAIN "let r = q[1] + q[2]\ninitial q[1] = 1, q[2] = 2, q[1]' = r\n"));
    CHECK(!accepts(CHAIN "let r = q[1] + q[2]\ninitial q[1] = 1, q[1]' = r, q[2] = 2\n"));
}

TEST(dae_model)
{
    nh_model *m =
        parse("states y[1..2]\nalgebraic z, w\npart a: y[1]' = z, y[2]' = w*t\npart b: y[i]' = i*y[i] for i = 1..2\n"
              "constraint y[1] = t\nconstraint y[2] = y[1]\ninitial z = 1, y[1] = z\n"
              "exact y[i] = t + y[i] for i = 1..2, z = 1, w = z\n");
    if (!CHECK(m != NULL))
        return;
    CHECK_EQ_INT(m->kind, NH_DAE);
    CHECK_EQ_INT(m->parts, 2);
    CHECK_EQ_INT(m->m, 2);
    CHECK_EQ_INT(m->algebraic, 2);
    CHECK_STR(m->part[1].name, "b");
    CHECK_EQ_INT(m->part[1].field.piece[0].loops, 1);
    CHECK(m->exact_q && m->exact_z && m->exact_q[1] && m->exact_z[1]);
    CHECK_NEAR(evaluate(m, m->exact_q[1], p_values, q_values, v_values, z_values), 0.5 + q_values[1], 0);
    CHECK_NEAR(evaluate(m, m->exact_z[1], p_values, q_values, v_values, z_values), z_values[0], 0);
    CHECK(nh_model_energy(m) == 0);
    nh_model_free(m);
}

TEST(hamiltonian_model)
{
    nh_model *m = parse("sizes n = 2\nparameters c = 1\nvariables x[1..n], p[1..n], w\n"
                        "hamiltonian sum(p[i]^2/2 for i = 1..n) + x[1]*w^2\n"
                        "structure J[x[i], p[i]] = -c for i = 1..n, J[x[1], x[2]] = 3\n");
    if (!CHECK(m != NULL))
        return;
    const int row[] = {0, 2, 1, 3, 0, 1, 4}, column[] = {2, 0, 3, 1, 1, 0, 4};
    const double want[] = {-2, 2, -2, 2, 3, -3, 0}; /* c = 2 */
    CHECK_EQ_INT(m->structure.rows, 5);
    for (int i = 0; i < 7; i++) {
        nh_expr entry = nh_field_entry(m->graph, &m->structure, row[i], column[i]);
        CHECK_NEAR(evaluate(m, entry, p_values, q_values, v_values, z_values), want[i], 0);
    }
    CHECK(nh_model_energy(m) == m->lagrangian);
    nh_model_free(m);
}

/* ---- Settings ---- */

TEST(settings)
{
    const char *text = "sizes n = 2, k = n + 1\nparameters m = 1, d[i] = i for i = 1..n\ncoordinates q[1..n], r[1..k]\n"
                       "lagrangian m*sum(d[i]*q[i]'^2 for i = 1..n) + r[1]'^2\ninitial q[1] = 7, q[2]' = q[1]\n";
    nh_setting set[] = {{"n", "2*3"}, {"d[5]", "m + pi"}, {"m", "sqrt(4)"}};
    nh_setting initial[] = {{"q[1]", "m"}, {"r[2]'", "d[5]"}};
    nh_model_options options = {set, 3, initial, 2};
    nh_model *m;
    if (!CHECK(nh_model_parse(text, strlen(text), "test", &options, &m, NULL) == NH_OK))
        return;
    CHECK_EQ_INT(m->size[0].value, 6);
    CHECK_EQ_INT(m->size[1].value, 7);
    CHECK_EQ_INT(m->n, 13);
    CHECK_EQ_INT(m->parameters, 7);
    CHECK(nh_is_number(m->graph, m->parameter_default[0], 2));
    CHECK_NEAR(evaluate(m, m->parameter_default[5], p_values, q_values, v_values, z_values), 2 + 3.14159265358979323846,
               1e-15);
    CHECK(m->initial_q[0] == nh_component(m->graph, NH_PARAMETER, 0));
    CHECK(m->initial_v[7] == nh_component(m->graph, NH_PARAMETER, 5));
    nh_model_free(m);
}

TEST(wrong_settings)
{
    const char *text = "sizes n = 2\nparameters mass = 1, d[i] = i for i = 1..n\ncoordinates x, y[1..n]\n"
                       "lagrangian mass*x'^2 + d[1]*y[1]'^2\n";
    const struct {
        bool initial;
        const char *name, *expression, *message;
        int column;
    } row[] = {
        {false, "mas", "1", "the model has no size or parameter 'mas'; did you mean 'mass'?", 1},
        {false, "zeta", "1", "the model has no size or parameter 'zeta'", 1},
        {false, "x", "1", "'x' is a coordinate, which has no value to set; its initial value is set by --initial", 1},
        {false, "sin", "1", "'sin' is a function; only sizes and parameters can be set", 1},
        {false, "mass", "1 +", "expected an expression, but the statement ends here", 9},
        {false, "mass", "1, 2", "expected an operator or the end, found ','", 7},
        {false, "mass", "d[1]", "'d' is declared in line 2; sizes, parameters and lets may use only those above them",
         6},
        {false, "mass", "", "expected an expression, but the statement ends here", 6},
        {false, "", "1", "expected a name, found '='", 1},
        {false, "mass[1]", "1", "'mass' has no subscript", 5},
        {false, "d", "1", "'d' needs a subscript: it has the elements 1..2", 1},
        {false, "d[3]", "1", "the subscript of 'd' is 3, outside of its range 1..2", 3},
        {false, "n", "1.5", "1.5 is not an integer; sizes, subscripts and limits are integers", 3},
        {false, "n", "mass", "'mass' is declared in line 2; sizes, parameters and lets may use only those above them",
         3},
        {true, "z", "1", "unknown name 'z'", 1},
        {true, "mass", "1", "'mass' is a parameter; on the left of '--initial' stands a coordinate", 1},
        {true, "x", "y[1]", "'y' cannot be used here: a replaced initial value may depend only on parameters", 3},
        {true, "y[3]'", "1", "the subscript of 'y' is 3, outside of its range 1..2", 3},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        nh_setting setting = {row[i].name, row[i].expression};
        nh_model_options options = {.set = &setting, .set_count = !row[i].initial};
        options.initial = &setting;
        options.initial_count = row[i].initial;
        nh_error error;
        CHECK_STR(refusal(text, &options, &error), row[i].message);
        CHECK_STR(error.file, row[i].initial ? "--initial" : "--set");
        CHECK_EQ_INT(error.column, row[i].column);
    }
    nh_setting twice[] = {{"d[1]", "1"}, {"d[1]", "2"}};
    nh_error error;
    CHECK_STR(refusal(text, &(nh_model_options){.set = twice, .set_count = 2}, &error), "'d' is set twice");
}

/* ---- Files ---- */

TEST(loading)
{
    nh_model *m;
    nh_error error;
    CHECK_EQ_INT(nh_model_load(NH_TEST_DIR "/nothing.nh", NULL, &m, &error), NH_FILE);
    CHECK(m == NULL && strstr(error.message, "No such file"));
    CHECK_EQ_INT(nh_model_load("no-such-model-anywhere", NULL, &m, &error), NH_FILE);
    CHECK(strstr(error.message, "no-such-model-anywhere") != NULL);
    CHECK_EQ_INT(nh_model_load(NH_TEST_DIR, NULL, &m, &error), NH_FILE);
    CHECK_EQ_INT(nh_model_load("", NULL, &m, NULL), NH_USAGE);
    CHECK_EQ_INT(nh_model_load(NH_TEST_DIR "/wrong/empty.nh", NULL, &m, &error), NH_MODEL);
    CHECK_STR(error.file, NH_TEST_DIR "/wrong/empty.nh");
    nh_model_free(NULL);
}

/* Every tests/wrong/NAME.nh is refused with exactly the text of NAME.expected. */
TEST(wrong_models)
{
    DIR *directory = opendir(NH_TEST_DIR "/wrong");
    if (!CHECK(directory != NULL))
        return;
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".nh") != 0)
            continue;
        char path[512], expected[512], message[2048];
        snprintf(path, sizeof path, "%s/wrong/%s", NH_TEST_DIR, entry->d_name);
        snprintf(expected, sizeof expected, "%.*s.expected", (int)strlen(path) - 3, path);
        nh_text text = read_file(path), want = read_file(expected);
        nh_model *model;
        nh_error error = {0};
        nh_model_parse(nh_text_get(&text), text.length, entry->d_name, NULL, &model, &error);
        int used = nh_error_format(&error, message, sizeof message - 1);
        snprintf(message + used, sizeof message - (size_t)used, "\n");
        CHECK_STR(message, nh_text_get(&want));
        CHECK(model == NULL);
        nh_model_free(model);
        nh_text_free(&text);
        nh_text_free(&want);
        count++;
    }
    closedir(directory);
    CHECK(count >= 100);
}

/* Without an error object, a refusal is only a status. */
TEST(no_error_object)
{
    nh_model *m;
    CHECK_EQ_INT(nh_model_parse("coordinates x\nlagrangian y'\n", 27, NULL, NULL, &m, NULL), NH_NAME);
    CHECK_EQ_INT(nh_model_parse("x = \xFF", 5, NULL, NULL, &m, NULL), NH_SYNTAX);
    CHECK_EQ_INT(nh_model_parse(NULL, 0, NULL, NULL, &m, NULL), NH_MODEL);
}

/* ---- Cost ---- */

static double seconds_to_parse(const char *text, bool good)
{
    clock_t start = clock();
    CHECK(accepts(text) == good);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static nh_text repeated(const char *before, const char *item, int count, const char *after)
{
    nh_text text = {0};
    nh_text_add(&text, "%s", before);
    for (int i = 0; i < count; i++)
        nh_text_add(&text, "%s", item);
    nh_text_add(&text, "%s", after);
    return text;
}

TEST(long_texts)
{
    enum { MANY = 100000 };
    const double limit = 10; /* generous: sanitizers and slow machines */
    const char *start = SCALARS "observable e = ";
    nh_text text[] = {
        repeated(start, "(", MANY, "x"),
        repeated(start, "sin(", MANY, "x"),
        repeated(start, "-", MANY, "x\n"),
        repeated(start, "x^", MANY, "2\n"),
        repeated(start, "x + y*", MANY, "2\n"),
        repeated(start, "x[", MANY, "\n"),
        repeated(SCALARS, "observable e = x\n", MANY, "\n"),
        repeated(SCALARS, "about a line\n", MANY, "\n"),
        repeated(SCALARS, "\n#\n", MANY, "\n"),
    };
    static const bool good[] = {false, false, true, true, true, false, false, true, true};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        CHECK(seconds_to_parse(nh_text_get(&text[i]), good[i]) < limit);
        nh_text_free(&text[i]);
    }
}

TEST(huge_sizes)
{
    static const char *const text[] = {
        "sizes n = 2000000000\ncoordinates q[1..n]\nlagrangian sum(q[i]'^2 for i = 1..n)\n",
        "sizes n = 2000000000\ncoordinates x\nparameters d[i] = i for i = 1..n\nlagrangian d[1]*x'^2\n",
        "sizes n = 2000000000\ncoordinates x\nlagrangian x'^2\ninitial x = i for i = 1..n\n",
        "sizes n = 2000000000\ncoordinates x\nlagrangian x'^2\nforce x = i for i = 1..n\n",
        "sizes n = 2000000000\ncoordinates x, y\nlagrangian x'^2\nconstraint i*x' = y' for i = 1..n\n",
        "sizes n = 2000000000, k = 2*n\ncoordinates x\nlagrangian x'^2\n",
        "sizes n = 99999999999999999999\ncoordinates x\nlagrangian x'^2\n",
        "coordinates q[-2147483647..2147483647]\nlagrangian q[1]'^2\n",
        "coordinates q[1..600000], p[1..600000]\nlagrangian q[1]'^2 + p[1]'^2\n",
        "coordinates q[1..900000]\nlagrangian q[1]'^2\ninitial q[i] = sin(1+1+1+1+1+1+1+1+1+i) for i = 1..900000\n",
        "variables x, p\nhamiltonian x^2 + p^2\nstructure J[x, p] = i for i = 1..2000000000\n",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        CHECK(seconds_to_parse(text[i], false) < 20);
    CHECK(seconds_to_parse("sizes n = 2000000000\ncoordinates x\nlagrangian x'^2 + sum(i*x for i = 1..n)\n", true) < 1);
}

TEST_MAIN(RUN(expressions), RUN(sums), RUN(lets), RUN(subscripts), RUN(lagrangian_model), RUN(names_of_components),
          RUN(energy), RUN(initial_values), RUN(dae_model), RUN(hamiltonian_model), RUN(settings), RUN(wrong_settings),
          RUN(loading), RUN(wrong_models), RUN(no_error_object), RUN(long_texts), RUN(huge_sizes))
