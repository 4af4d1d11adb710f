/* SPDX-License-Identifier: MIT */
/* Methods as users write them: the tree, the canonical spelling, options against their tables, every refusal. */
#include "test.h"

#include "method/option.h"
#include "support.h"

#include <stdlib.h>

/* ---- Reading and writing ---- */

static nh_spec *parse(nh_arena *arena, const char *text)
{
    nh_spec *spec;
    nh_error error = {0};
    CHECK_EQ_INT(nh_spec_parse(text, arena, &spec, &error), NH_OK);
    CHECK_STR(error.message, "");
    return spec;
}

static void check_spelling(const char *text, const char *want)
{
    nh_arena arena = {0};
    nh_text out = {0};
    nh_spec *spec = parse(&arena, text);
    if (spec)
        nh_spec_write(spec, &out);
    CHECK_STR(nh_text_get(&out), want);
    nh_text_free(&out);
    nh_arena_free(&arena);
}

TEST(spelling)
{
    static const char *const canonical[] = {
        "mp",
        "gauss(s=3)",
        "projected(rk4)",
        "cm(start=midpoint)",
        "compose(gauss(s=2), scheme=suzuki-4)",
        "newmark(beta=1/4, betap=0.1, constraint=point)",
        "spark(file=my-triple.txt)",
        "spark(file=dir/my triple.txt)",
        "spark(file=\"a,b(1).txt\")",
        "spark(file=\"\")",
        "spark(file=\" x\")",
        "spark(file=\"3\")", /* a text, not a number */
        "spark(file=\xCE\xB1=\xCE\xB2)",
        "a(b(c(d(e=1), f), g), h=-1.5e-3)",
    };
    for (size_t i = 0; i < sizeof canonical / sizeof *canonical; i++)
        check_spelling(canonical[i], canonical[i]);
    check_spelling("  gauss ( s\t= 3 )  ", "gauss(s=3)");
    check_spelling("compose(gauss(s=2),scheme=suzuki-4)", "compose(gauss(s=2), scheme=suzuki-4)");
    check_spelling("spark(file = \"x.txt\" , s=2)", "spark(file=x.txt, s=2)");
}

TEST(tree)
{
    nh_arena arena = {0};
    nh_spec *spec = parse(&arena, "compose(gauss(s=2), n=6/2, gamma=1/3, file=\"3\", scheme=suzuki-4)");
    if (spec && CHECK_EQ_INT(spec->items, 5)) {
        const nh_spec_item *item = spec->item;
        CHECK_STR(spec->name, "compose");
        CHECK_EQ_INT(spec->column, 1);
        CHECK(!item[0].key && item[0].method);
        CHECK_STR(item[0].method->name, "gauss");
        CHECK_EQ_INT(item[0].method->column, 9);
        CHECK_EQ_INT(item[0].method->item[0].column, 15);
        CHECK_EQ_INT(item[0].method->item[0].value_column, 17);
        CHECK(item[0].method->item[0].number == 2);
        CHECK(item[1].is_integer && item[1].number == 3);
        CHECK(item[2].is_number && !item[2].is_integer && item[2].number == (nh_quad)1 / 3);
        CHECK(!item[3].is_number && !strcmp(item[3].text, "3"));
        CHECK(!item[4].is_number && !strcmp(item[4].text, "suzuki-4"));
    }
    nh_arena_free(&arena);
}

static void check_refusal(const char *text, nh_status status, const char *want)
{
    nh_arena arena = {0};
    nh_spec *spec;
    nh_error error = {0};
    char message[2048];
    CHECK_EQ_INT(nh_spec_parse(text, &arena, &spec, &error), status);
    CHECK(!spec);
    nh_error_format(&error, message, sizeof message);
    CHECK_STR(message, want);
    CHECK_EQ_INT(nh_spec_parse(text, &arena, &spec, NULL), status);
    nh_arena_free(&arena);
}

TEST(refusals)
{
    static const struct {
        const char *text;
        nh_status status;
        const char *message;
    } row[] = {
        {"", NH_SYNTAX, "--method:1:1: expected the name of a method, but the text ends here"},
        {"(s=3)", NH_SYNTAX, "--method:1:1: expected the name of a method, found '('\n(s=3)\n^"},
        {"4rk", NH_SYNTAX, "--method:1:1: expected the name of a method, found '4rk'\n4rk\n^"},
        {"gauss s=3", NH_SYNTAX, "--method:1:7: expected '(' or the end, found 's'\ngauss s=3\n      ^"},
        {"gauss[s=3]", NH_SYNTAX, "--method:1:6: expected '(' or the end, found '['\ngauss[s=3]\n     ^"},
        {"gauss(s=3) x", NH_SYNTAX, "--method:1:12: expected the end, found 'x'\ngauss(s=3) x\n           ^"},
        {"gauss(s=3))", NH_SYNTAX, "--method:1:11: expected the end, found ')'\ngauss(s=3))\n          ^"},
        {"gauss(", NH_SYNTAX, "--method:1:7: expected an option or a method, but the text ends here\ngauss(\n      ^"},
        {"gauss()", NH_SYNTAX, "--method:1:7: expected an option or a method, found ')'\ngauss()\n      ^"},
        {"gauss(s=3,)", NH_SYNTAX,
         "--method:1:11: expected an option or a method, found ')'\ngauss(s=3,)\n          ^"},
        {"gauss(3)", NH_SYNTAX,
         "--method:1:7: expected an option or a method, found '3'; an option is written name=value\ngauss(3)\n      ^"},
        {"gauss(s=3", NH_SYNTAX, "--method:1:6: '(' is never closed\ngauss(s=3\n     ^"},
        {"gauss(mp; s=3)", NH_SYNTAX, "--method:1:9: expected ',' or ')', found ';'\ngauss(mp; s=3)\n        ^"},
        {"gauss(s=)", NH_SYNTAX, "--method:1:9: expected a value, found ')'\ngauss(s=)\n        ^"},
        {"gauss(s=", NH_SYNTAX, "--method:1:9: expected a value, but the text ends here\ngauss(s=\n        ^"},
        {"gauss(s=1/0)", NH_VALUE, "--method:1:9: division by zero\ngauss(s=1/0)\n        ^"},
        {"gauss(s=1e9999)", NH_VALUE,
         "--method:1:9: the number is too large to be represented\ngauss(s=1e9999)\n        ^"},
        {"a(m=b(s=1))", NH_SYNTAX,
         "--method:1:6: a value with brackets or quotation marks inside is written in quotation "
         "marks\na(m=b(s=1))\n     ^"},
        {"a(f=\"x)", NH_SYNTAX, "--method:1:5: the quotation mark is never closed\na(f=\"x)\n    ^"},
        {"a(f=\"x\"y)", NH_SYNTAX, "--method:1:8: expected ',' or ')', found 'y'\na(f=\"x\"y)\n       ^"},
        {"\xCE\xB1(s=3)", NH_SYNTAX, "--method:1:1: expected the name of a method, found '\xCE\xB1'\n\xCE\xB1(s=3)\n^"},
        {"a(f=\xCE\xB1) x", NH_SYNTAX, "--method:1:8: expected the end, found 'x'\na(f=\xCE\xB1) x\n       ^"},
        {"a(f=\xFF)", NH_SYNTAX, "--method:1:5: the byte 0xff is not UTF-8 text\na(f=?)\n    ^"},
        {"a(f=1\n)", NH_SYNTAX, "--method:1:6: the control character 0x0a is not allowed in a method\na(f=1\n     ^"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_refusal(row[i].text, row[i].status, row[i].message);
}

/* ---- Limits ---- */

static void check_depth(int depth, nh_status status)
{
    nh_arena arena = {0};
    nh_text text = {0};
    nh_spec *spec;
    nh_error error = {0};
    for (int i = 0; i < depth; i++)
        nh_text_add(&text, "a(");
    nh_text_add(&text, "b");
    for (int i = 0; i < depth; i++)
        nh_text_add(&text, ")");
    CHECK_EQ_INT(nh_spec_parse(nh_text_get(&text), &arena, &spec, &error), status);
    if (status != NH_OK)
        CHECK_STR(error.message, "methods may be nested 16 deep");
    nh_text_free(&text);
    nh_arena_free(&arena);
}

TEST(limits)
{
    check_depth(NH_SPEC_DEPTH, NH_OK);
    check_depth(NH_SPEC_DEPTH + 1, NH_LIMIT);
    check_depth(1000, NH_LIMIT);
    char text[NH_SPEC_LENGTH + 2];
    memset(text, 'a', sizeof text);
    text[NH_SPEC_LENGTH + 1] = '\0';
    check_refusal(text, NH_LIMIT, "the method is too long: at most 4096 bytes are read");
    text[NH_SPEC_LENGTH] = '\0';
    check_spelling(text, text);
}

/* ---- Options ---- */

static const char *const places[] = {"point", "average"};
static const nh_option table[] = {
    {.name = "s", .type = NH_OPTION_INTEGER, .least = 1, .most = 64, .initial = 2, .about = "stages"},
    {.name = "beta", .type = NH_OPTION_REAL, .least = 0, .most = INFINITY, .initial = 0.25, .about = "weight"},
    {.name = "shift", .type = NH_OPTION_REAL, .least = -INFINITY, .most = 1, .initial = 0, .about = "shift"},
    {.name = "constraint", .type = NH_OPTION_WORD, .initial = 1, .words = places, .words_count = 2, .about = "where"},
    {.name = "file", .type = NH_OPTION_TEXT, .initial = 0, .about = "a file"},
};
enum { S, BETA, SHIFT, CONSTRAINT, FILE_NAME, OPTIONS };

TEST(options)
{
    nh_arena arena = {0};
    nh_error error;
    nh_option_value value[OPTIONS];
    nh_spec *spec = parse(&arena, "m");
    CHECK_EQ_INT(nh_spec_read(spec, table, OPTIONS, value, &error), NH_OK);
    CHECK(value[S].integer == 2 && value[S].number == 2 && !value[S].given);
    CHECK(value[BETA].number == 0.25 && value[CONSTRAINT].word == 1 && !value[FILE_NAME].text);
    spec = parse(&arena, "m(file=3, s=64, beta=1/3, constraint=point, inner(s=1), shift=-2)");
    CHECK_EQ_INT(nh_spec_read(spec, table, OPTIONS, value, &error), NH_OK);
    CHECK(value[S].integer == 64 && value[S].given);
    CHECK(value[BETA].number == (nh_quad)1 / 3 && value[SHIFT].number == -2);
    CHECK_EQ_INT(value[CONSTRAINT].word, 0);
    CHECK_STR(value[FILE_NAME].text, "3");
    nh_arena_free(&arena);
}

static void check_options(const char *text, const nh_option *options, int count, nh_status status, const char *want)
{
    nh_arena arena = {0};
    nh_error error = {0};
    nh_option_value value[OPTIONS];
    char message[2048];
    nh_spec *spec = parse(&arena, text);
    if (!spec)
        return;
    CHECK_EQ_INT(nh_spec_read(spec, options, count, value, &error), status);
    nh_error_format(&error, message, sizeof message);
    CHECK_STR(message, want);
    CHECK_EQ_INT(nh_spec_read(spec, options, count, value, NULL), status);
    nh_arena_free(&arena);
}

TEST(option_refusals)
{
    static const struct {
        const char *text;
        nh_status status;
        const char *message;
    } row[] = {
        {"m(btea=1)", NH_NAME, "--method:1:3: 'm' has no option 'btea'; did you mean 'beta'?\nm(btea=1)\n  ^"},
        {"m(zzz=1)", NH_NAME,
         "--method:1:3: 'm' has no option 'zzz'; it has s, beta, shift, constraint, file\nm(zzz=1)\n  ^"},
        {"m(s=1, s=2)", NH_NAME, "--method:1:8: 's' is given twice\nm(s=1, s=2)\n       ^"},
        {"m(s=x)", NH_VALUE, "--method:1:5: 's' is a whole number, not 'x'; write it like 3\nm(s=x)\n    ^"},
        {"m(s=\"2\")", NH_VALUE, "--method:1:5: 's' is a whole number, not '2'; write it like 3\nm(s=\"2\")\n    ^"},
        {"m(s=2.5)", NH_VALUE, "--method:1:5: 's' is a whole number, not 2.5\nm(s=2.5)\n    ^"},
        {"m(s=99999999999999999999)", NH_VALUE,
         "--method:1:5: 's' is between 1 and 64, not 99999999999999999999\nm(s=99999999999999999999)\n    ^"},
        {"m(s=0)", NH_VALUE, "--method:1:5: 's' is between 1 and 64, not 0\nm(s=0)\n    ^"},
        {"m(beta=-1/4)", NH_VALUE, "--method:1:8: 'beta' is at least 0, not -1/4\nm(beta=-1/4)\n       ^"},
        {"m(shift=1.5)", NH_VALUE, "--method:1:9: 'shift' is at most 1, not 1.5\nm(shift=1.5)\n        ^"},
        {"m(beta=1/)", NH_VALUE,
         "--method:1:8: 'beta' is a number, not '1/'; write 2, -0.5, 1.5e-3 or a fraction like "
         "1/3\nm(beta=1/)\n       ^"},
        {"m(constraint=pont)", NH_NAME,
         "--method:1:14: 'constraint' cannot be 'pont'; did you mean 'point'?\nm(constraint=pont)\n             ^"},
        {"m(constraint=3)", NH_NAME,
         "--method:1:14: 'constraint' cannot be '3'; it is one of: point, average\nm(constraint=3)\n             ^"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_options(row[i].text, table, OPTIONS, row[i].status, row[i].message);
    check_options("mp(s=1)", NULL, 0, NH_NAME, "--method:1:4: 'mp' has no options\nmp(s=1)\n   ^");
    static const nh_option required = {
        .name = "file", .type = NH_OPTION_TEXT, .initial = NAN, .about = "the coefficients"};
    check_options("a(spark)", &required, 1, NH_VALUE,
                  "--method:1:1: 'a' needs the option 'file': the coefficients\na(spark)\n^");
    check_options("a(file=\"\")", &required, 1, NH_OK, nh_status_text(NH_OK));
}

static void check_methods(const char *text, int count, nh_status status, const char *want)
{
    nh_arena arena = {0};
    nh_error error = {0};
    const nh_spec *inner[2];
    nh_spec *spec = parse(&arena, text);
    if (!spec)
        return;
    CHECK_EQ_INT(nh_spec_methods(spec, count, inner, &error), status);
    CHECK_STR(status == NH_OK ? inner[count - 1]->name : error.message, want);
    nh_arena_free(&arena);
}

TEST(methods)
{
    check_methods("a(s=1, b, t=2, c)", 2, NH_OK, "c");
    check_methods("a(b(c))", 1, NH_OK, "b");
    check_methods("a(point)", 0, NH_VALUE, "'a' takes no method; an option is written name=value");
    check_methods("a(b, c)", 1, NH_VALUE, "'a' takes no further method");
    check_methods("a(s=2)", 1, NH_VALUE, "'a' needs a method in its brackets");
    check_methods("a(b)", 2, NH_VALUE, "'a' needs one more method in its brackets");
}

/* ---- Any text ---- */

/* What is accepted has a canonical spelling, which is its own. */
static bool reads_back(const nh_spec *spec, nh_arena *arena)
{
    nh_text once = {0}, twice = {0};
    nh_spec *again;
    nh_spec_write(spec, &once);
    bool good = nh_spec_parse(nh_text_get(&once), arena, &again, NULL) == NH_OK;
    if (good)
        nh_spec_write(again, &twice);
    good = good && !strcmp(nh_text_get(&once), nh_text_get(&twice));
    nh_text_free(&once);
    nh_text_free(&twice);
    return good;
}

TEST(any_text)
{
    static const char alphabet[] = "aab=s(()),,1203/.-e \"\t\xCE\xB1+\x01";
    uint64_t state = 3;
    int accepted = 0, wrong = 0;
    for (int round = 0; round < 100000; round++) {
        char text[24] = "a(";
        size_t length = 2 + (size_t)(20 * next_uniform(&state));
        for (size_t i = 2 * (size_t)(round % 2); i < length; i++)
            text[i] = alphabet[(size_t)((double)(sizeof alphabet - 1) * next_uniform(&state))];
        text[length] = '\0';
        nh_arena arena = {0};
        nh_spec *spec;
        nh_error error = {0};
        nh_option_value value[OPTIONS];
        nh_status status = nh_spec_parse(text, &arena, &spec, &error);
        wrong += status != error.status || (status == NH_OK) != (spec != NULL);
        if (spec) {
            accepted++;
            wrong += !reads_back(spec, &arena);
            nh_spec_read(spec, table, OPTIONS, value, &error);
        }
        nh_arena_free(&arena);
    }
    CHECK(accepted > 100);
    CHECK_EQ_INT(wrong, 0);
}

TEST_MAIN(RUN(spelling), RUN(tree), RUN(refusals), RUN(limits), RUN(options), RUN(option_refusals), RUN(methods),
          RUN(any_text))
