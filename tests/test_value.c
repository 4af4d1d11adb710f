/* SPDX-License-Identifier: MIT */
/* Expressions from outside of a model file, and the model's own step and end: values to the last bit, refusals, and
 * that the model stays as it is. */
#include "test.h"

#include "language/value.h"
#include "model/evaluate.h"
#include "model/initial.h"
#include "support.h"

#include <stdlib.h>

static const char model_text[] = "sizes n = 3\n"
                                 "coordinates x, q[1..n]\n"
                                 "parameters length = 2, mass[i] = i/n for i = 1..n\n"
                                 "lagrangian x'^2/2 + sum(mass[i]*q[i]'^2/2 for i = 1..n) - length*x\n"
                                 "observable height = x\n"
                                 "step pi/(20*length)\n"
                                 "until 10*length\n";

static nh_model *load(const char *text, const nh_model_options *options)
{
    nh_model *m;
    nh_error error;
    char message[2048];
    if (nh_model_parse(text, strlen(text), "test", options, &m, &error) == NH_OK)
        return m;
    nh_error_format(&error, message, sizeof message);
    test_report(false, __FILE__, 0, text, message, "a model");
    return NULL;
}

static nh_quad value_of(const nh_model *m, const char *expression)
{
    nh_quad value = -1;
    nh_error error = {0};
    CHECK_EQ_INT(nh_model_value(m, expression, "--step", &value, &error), NH_OK);
    CHECK_STR(error.message, "");
    return value;
}

static nh_quad pi(void)
{
    return nh_quad_parse("3.14159265358979323846264338327950288419716939937510", NULL);
}

TEST(values)
{
    nh_model *m = load(model_text, NULL);
    if (!m)
        return;
    const nh_quad third = (nh_quad)1 / 3;
    CHECK(value_of(m, "1/3") == third);
    CHECK(value_of(m, " 1 / 3\t") == third);
    CHECK(value_of(m, "0.1") == (nh_quad)1 / 10);
    CHECK(value_of(m, "-2.5e-3") == (nh_quad)-25 / 10000);
    CHECK(value_of(m, "pi") == pi());
    CHECK_NEAR((double)((value_of(m, "pi/40") - pi() / 40) * (nh_quad)1e30), 0, 1e-4);
    nh_quad sine = nh_quad_parse("0.0784590957278449450329602459934596708286", NULL);
    CHECK_NEAR((double)((value_of(m, "2*sin(pi/40)") - 2 * sine) * (nh_quad)1e30), 0, 1e-3);
    CHECK(value_of(m, "n") == 3);
    CHECK(value_of(m, "length/(n + 1)") == 0.5);
    CHECK(value_of(m, "mass[1]") == third);
    CHECK(value_of(m, "sum(mass[i] for i = 1..n)") == 2);
    CHECK(value_of(m, "sqrt(16) - 4") == 0);
    nh_model_free(m);
}

static void check_uses(const nh_model *m, const char *expression, const char *expected)
{
    bool uses[8] = {false};
    char marks[9] = "";
    nh_quad value;
    CHECK_EQ_INT(nh_model_value_uses(m, expression, "--step", &value, uses, NULL), NH_OK);
    for (int i = 0; i < m->parameters; i++)
        marks[i] = uses[i] ? 'x' : '.';
    CHECK_STR(marks, expected);
}

TEST(what_values_follow)
{
    nh_model *m = load("coordinates x\nparameters a = 1, c[i] = i*a for i = 1..4, d = 2, last = c[4] + d\n"
                       "lagrangian x'^2/2*last\nstep 1\n",
                       &(nh_model_options){.set = &(nh_setting){"c[2]", "7"}, .set_count = 1});
    if (!m)
        return;
    check_uses(m, "1/3 + sin(pi)", ".......");
    check_uses(m, "d*(a - a)", ".......");
    check_uses(m, "c[1 + 1]", "..x....");
    check_uses(m, "c[1]", "xx.....");
    check_uses(m, "1/last", "x...xxx");
    check_uses(m, "sum(c[i] for i = 1..2)", "xxx....");
    check_uses(m, "sum(c[3 - i] for i = 1..2) + prod(2 for i = 1..9)", "xxx....");
    check_uses(m, "sum(sum(c[i - j] for j = 1..i - 1) for i = 1..3)", "xxx....");
    check_uses(m, "sum(sum(c[2*j - i] for j = i..2) for i = 1..2)", "xxxxx.."); /* not c[4], really */
    nh_model_free(m);
}

TEST(settings_count)
{
    const nh_setting set[] = {{"n", "5"}, {"length", "1/3"}, {"mass[2]", "7"}};
    nh_model *m = load(model_text, &(nh_model_options){.set = set, .set_count = 3});
    if (!m)
        return;
    CHECK(value_of(m, "n") == 5);
    CHECK(value_of(m, "length") == (nh_quad)1 / 3);
    CHECK(value_of(m, "mass[2] + mass[5]") == 8);
    nh_model_free(m);
}

static void check_refusal(const nh_model *m, const char *expression, nh_status status, const char *want)
{
    nh_quad value;
    nh_error error = {0};
    char message[2048];
    CHECK_EQ_INT(nh_model_value(m, expression, "--step", &value, &error), status);
    nh_error_format(&error, message, sizeof message);
    CHECK_STR(message, want);
    CHECK_EQ_INT(nh_model_value(m, expression, "--step", &value, NULL), status);
}

TEST(refusals)
{
    nh_model *m = load(model_text, NULL);
    if (!m)
        return;
    check_refusal(m, "", NH_SYNTAX, "--step:1:1: expected an expression, but the text ends here");
    check_refusal(m, "  ", NH_SYNTAX, "--step:1:3: expected an expression, but the text ends here\n  \n  ^");
    check_refusal(m, "1 +", NH_SYNTAX, "--step:1:4: expected an expression, but the text ends here\n1 +\n   ^");
    check_refusal(m, "1, 2", NH_SYNTAX, "--step:1:2: expected an operator or the end, found ','\n1, 2\n ^");
    check_refusal(m, "h = 2", NH_NAME, "--step:1:1: unknown name 'h'; declare it, perhaps in 'parameters'\nh = 2\n^");
    check_refusal(m, "2 length", NH_SYNTAX,
                  "--step:1:3: expected an operator or the end of the expression, found 'length'; a product is written "
                  "with *\n2 length\n  ^");
    check_refusal(m, "2 for i = 1..3", NH_SYNTAX,
                  "--step:1:3: expected an operator or the end, found 'for'\n2 for i = 1..3\n  ^");
    check_refusal(m, "1 + lenght", NH_NAME,
                  "--step:1:5: unknown name 'lenght'; did you mean 'length'?\n1 + lenght\n    ^");
    check_refusal(m, "sine(1)", NH_NAME, "--step:1:1: unknown name 'sine'; did you mean 'sin'?\nsine(1)\n^");
    check_refusal(m, "hieght", NH_NAME,
                  "--step:1:1: unknown name 'hieght'; declare it, perhaps in 'parameters'\nhieght\n^");
    check_refusal(m, "2*x", NH_MODEL,
                  "--step:1:3: 'x' cannot be used here: the value of --step may depend only on parameters\n2*x\n  ^");
    check_refusal(m, "q[1]'", NH_MODEL,
                  "--step:1:1: 'q'' cannot be used here: the value of --step may depend only on parameters\nq[1]'\n^");
    check_refusal(m, "t", NH_MODEL,
                  "--step:1:1: 't' cannot be used here: the value of --step may depend only on parameters\nt\n^");
    check_refusal(m, "height", NH_MODEL,
                  "--step:1:1: 'height' cannot be used here: the value of --step may depend only on "
                  "parameters\nheight\n^");
    check_refusal(m, "lambda[1]", NH_MODEL, "--step:1:1: 'lambda' may be used only in a 'reaction'\nlambda[1]\n^");
    check_refusal(m, "mass[4]", NH_VALUE,
                  "--step:1:6: the subscript of 'mass' is 4, outside of its range 1..3\nmass[4]\n     ^");
    check_refusal(m, "mass", NH_NAME, "--step:1:1: 'mass' needs a subscript: it has the elements 1..3\nmass\n^");
    check_refusal(m, "1/0", NH_VALUE, "--step:1:2: division by zero\n1/0\n ^");
    check_refusal(m, "1 + log(length - 2)", NH_VALUE,
                  "--step:1:1: the value of --step is not finite\n1 + log(length - 2)\n^");
    check_refusal(m, "sqrt(-1)", NH_VALUE, "--step:1:1: the value of --step is not finite\nsqrt(-1)\n^");
    check_refusal(m, "(1", NH_SYNTAX, "--step:1:1: '(' is never closed\n(1\n^");
    check_refusal(m, "1\n2", NH_SYNTAX, "--step:1:2: the control character 0x0a is not allowed in a text\n1\n ^");
    check_refusal(m, "\xFF", NH_SYNTAX, "--step:1:1: the byte 0xff is not UTF-8 text; save the file as UTF-8\n?\n^");
    nh_model_free(m);
}

/* A parameter without a value is named; one that is not used does no harm. */
TEST(parameters_that_are_not_finite)
{
    nh_model *m = load("coordinates x\nparameters a = 2, b = log(a - 2)\nlagrangian a*x'^2 - b*x\n", NULL);
    if (!m)
        return;
    CHECK(value_of(m, "1/8") == 0.125);
    check_refusal(m, "a", NH_VALUE, "the default value of b is not finite");
    nh_model_free(m);
}

static char *repeated(const char *text, size_t times)
{
    size_t length = strlen(text);
    char *out = malloc(length * times + 2);
    for (size_t i = 0; out && i < times; i++)
        memcpy(out + i * length, text, length);
    if (out)
        memcpy(out + length * times, "1", 2);
    return out;
}

TEST(long_texts)
{
    nh_model *m = load(model_text, NULL);
    char *terms = repeated("1 + ", 16000), *signs = repeated("-", 60000), *calls = repeated("length^", 9000);
    char *longer = repeated("1 + ", 20000), *brackets = repeated("(", 60000);
    nh_quad value;
    if (m && terms && signs && calls && longer && brackets) {
        CHECK(value_of(m, terms) == 16001);
        CHECK(value_of(m, signs) == 1);
        CHECK_EQ_INT(nh_model_value(m, calls, "--step", &value, NULL), NH_VALUE);
        CHECK_EQ_INT(nh_model_value(m, brackets, "--step", &value, NULL), NH_SYNTAX);
        check_refusal(m, longer, NH_LIMIT, "the value of --step is too long: at most 65536 bytes are read");
    }
    free(terms);
    free(signs);
    free(calls);
    free(longer);
    free(brackets);
    nh_model_free(m);
}

TEST(any_bytes)
{
    static const char *const piece[] = {"1",    "length", "mass[", "]",   "(",     ")",  "+", "-",    "*",    "/",
                                        "^",    " ",      ",",     "sum", " for ", "i",  "=", "1..n", "sin(", "pi",
                                        "\xC3", "'",      "x",     "0.",  "1e9",   "..", "t", "n",    "less", "\x01"};
    enum { PIECES = sizeof piece / sizeof *piece };
    nh_model *m = load(model_text, NULL);
    uint64_t state = 7;
    int good = 0;
    for (int round = 0; m && round < 20000; round++) {
        char text[128] = "";
        for (int length = 1 + (int)(10 * next_uniform(&state)); length > 0; length--)
            strcat(text, piece[(int)(PIECES * next_uniform(&state))]);
        nh_quad value;
        nh_error error;
        nh_status status = nh_model_value(m, text, "--until", &value, &error);
        good += status == NH_OK;
        if (status != error.status && status != NH_OK)
            CHECK_STR(text, "a text whose refusal has the status that is returned");
    }
    CHECK(good > 100);
    nh_model_free(m);
}

TEST(the_model_is_not_touched)
{
    nh_model *m = load(model_text, NULL);
    if (!m)
        return;
    value_of(m, "length"); /* parameters become functions once */
    uint32_t size = nh_graph_size(m->graph);
    value_of(m, "length^2 + sin(length*mass[1]) + 17");
    CHECK_EQ_INT(nh_graph_size(m->graph), size);
    nh_model_free(m);
}

static void check_times(const char *text, nh_status status, double step, double until, const char *message)
{
    nh_model *m = load(text, NULL);
    nh_quad h, end;
    bool has_step, has_until;
    nh_error error = {0};
    char formatted[2048];
    if (!m)
        return;
    CHECK_EQ_INT(nh_model_step_and_until(m, &h, &has_step, &end, &has_until, &error), status);
    if (status == NH_OK) {
        CHECK_EQ_INT(has_step, step > 0);
        CHECK_EQ_INT(has_until, until > 0);
        CHECK_NEAR((double)h, step, 1e-16);
        CHECK_NEAR((double)end, until, 1e-16);
    } else {
        nh_error_format(&error, formatted, sizeof formatted);
        CHECK_STR(formatted, message);
    }
    nh_model_free(m);
}

#define PENDULUM "coordinates x\nparameters g = 2\nlagrangian x'^2 - g*x^2\n"

TEST(step_and_until)
{
    check_times(model_text, NH_OK, 0.078539816339744831, 20, "");
    check_times(PENDULUM, NH_OK, 0, 0, "");
    check_times(PENDULUM "step 1/(4*g)\n", NH_OK, 0.125, 0, "");
    check_times(PENDULUM "until 4*g\n", NH_OK, 0, 8, "");
    check_times(PENDULUM "step 1 - g\n", NH_VALUE, 0, 0,
                "test: the model's 'step' is -1; it must be positive and finite");
    check_times(PENDULUM "step 1\nuntil log(g - 2)\n", NH_VALUE, 0, 0,
                "test: the model's 'until' is -inf; it must be positive and finite");
}

TEST_MAIN(RUN(values), RUN(what_values_follow), RUN(settings_count), RUN(refusals), RUN(parameters_that_are_not_finite),
          RUN(long_texts), RUN(any_bytes), RUN(the_model_is_not_touched), RUN(step_and_until))
