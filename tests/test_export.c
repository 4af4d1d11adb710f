/* SPDX-License-Identifier: MIT */
/* How exported code is made of the kernels' texts: tokens, conditions that are decided, what nothing needs. What comes
 * out is compiled and run by export.sh. */
#include "test.h"

#include "base/resource.h"
#include "export/fold.h"
#include "export/trim.h"

#include <nonholo/export.h>
#include <stdlib.h>

/* ---- Tokens ---- */

TEST(texts_come_back)
{
    int count;
    const nh_resource *texts = nh_resource_texts(&count);
    CHECK(count > 10);
    for (int i = 0; i < count; i++) {
        nh_ctokens tokens = {0};
        nh_text out = {0};
        nh_ctokens_read(&tokens, texts[i].text);
        nh_ctokens_write(&tokens, 0, tokens.count, &out);
        CHECK(!tokens.failed);
        CHECK_STR(nh_text_get(&out), texts[i].text);
        nh_text_free(&out);
        nh_ctokens_free(&tokens);
    }
}

/* ---- Conditions ---- */

static void check_value(const char *text, bool known, long value)
{
    nh_ctokens tokens = {0};
    nh_facts facts = {0};
    nh_facts_add(&facts, "m", 1, 2);
    nh_facts_add(&facts, "l", 1, 0);
    nh_facts_add(&facts, "NH_TRAITS", 9, 5);
    nh_facts_add(&facts, "ONE", 3, 1);
    nh_facts_add(&facts, "TWO", 3, 2);
    nh_ctokens_read(&tokens, text);
    const nh_value_of is = nh_facts_evaluate(&tokens, &facts, 0, tokens.count);
    if (!CHECK_EQ_INT(is.known, known) || (known && !CHECK_EQ_INT(is.value, value)))
        printf("    in   %s\n", text);
    nh_facts_free(&facts);
    nh_ctokens_free(&tokens);
}

TEST(values)
{
    check_value("m + l > 0", true, 1);
    check_value("m - 2 * (l + 1) == 0 || unknown", true, 1);
    check_value("unknown && l > 0", true, 0);
    check_value("l > 0 && unknown", true, 0);
    check_value("m > 0 && unknown", false, 0);
    check_value("l > 0 || unknown", false, 0);
    check_value("NH_TRAIT(ONE)", true, 1);
    check_value("!NH_TRAIT(TWO) && m > 0", true, 1);
    check_value("NH_TRAIT(THREE)", false, 0);
    check_value("p->m > 0", false, 0);
    check_value("m[0] > 0", false, 0);
    check_value("m = 3", false, 0);
    check_value("7 % 4 / 1 <= -(-3)", true, 1);
    check_value("defined ONE && !defined THREE", true, 1);
}

static void check_fold(const char *text, const char *want)
{
    nh_ctokens tokens = {0};
    nh_facts facts = {0};
    nh_text out = {0};
    nh_facts_add(&facts, "YES", 3, 1);
    nh_facts_add(&facts, "NO", 2, 0);
    nh_ctokens_read(&tokens, text);
    nh_fold(&tokens, &facts, "NOTHING", 0, tokens.count);
    nh_ctokens_write(&tokens, 0, tokens.count, &out);
    CHECK_STR(nh_text_get(&out), want);
    CHECK_EQ_INT(facts.count, 2);
    nh_text_free(&out);
    nh_facts_free(&facts);
    nh_ctokens_free(&tokens);
}

TEST(statements)
{
    check_fold("a();\nif (YES)\n    b();\nc();", "a();\nb();\nc();");
    check_fold("a();\nif (NO)\n    b();\nc();", "a();\nc();");
    check_fold("if (NO)\n    b();\nelse\n    c();\nd();", "c();\nd();");
    check_fold("if (YES) {\n    b();\n    c();\n} else {\n    d();\n}\ne();", "b();\nc();\ne();");
    check_fold("if (YES) {\n    int b = 1;\n}\nint b = 2;", "{\n    int b = 1;\n}\nint b = 2;");
    check_fold("if (x)\n    b();\nelse if (YES)\n    c();\nelse\n    d();\n", "if (x)\n    b();\nelse c();\n");
    check_fold("if (x)\n    b();\nelse if (NO)\n    c();\nd();", "if (x)\n    b();\nd();");
    check_fold("{\n    if (YES)\n        return;\n    b();\n}\nc();", "{\n    return;\n}\nc();");
    check_fold("if (YES(i))\n    b();", "b();");
    check_fold("if (x)\n    b();", "if (x)\n    b();");
    check_fold("if (YES)\n    if (NO)\n        b();\nc();", "\nc();");
    check_fold("a();\nfor (int i = 0; i < NO; i++)\n    b();\nc();", "a();\nc();");
    check_fold("a();\nfor (int i = 0; i < x; i++)\n    for (int k = NO; k < 0; k++)\n        b();\nc();", "a();\nc();");
    check_fold("for (int i = 0; i < x && YES; i++)\n    b();", "for (int i = 0; i < x && YES; i++)\n    b();");
    check_fold("a();\nif (x > 1)\n    NOTHING(y, 2);\nNOTHING(z);\nc();", "a();\nc();");
}

TEST(choices)
{
    check_fold("x = YES ? a : b;", "x = a;");
    check_fold("x = NO ? a : b;", "x = b;");
    check_fold("f(NO ? a[1] : g(b, c), d);", "f(g(b, c), d);");
    check_fold("return YES ? y ? a : b : c;", "return y ? a : b;");
    check_fold("x = y ? NO ? a : b : c;", "x = y ? b : c;");
    check_fold("(YES ? 1 : s) * (NO ? n : n * n)", "(1) * (n * n)");
    check_fold("x = y + (z ? a : b);", "x = y + (z ? a : b);");
}

/* ---- What is needed ---- */

static const nh_replacement replacements[] = {{"INLINE", "static"}, {"CONTEXT", ""}, {"real", "float"}, {NULL, NULL}};

static char *trimmed(const char *text, bool in_float)
{
    const nh_trim_setting setting = {.replace = {replacements},
                                     .call = "model_",
                                     .nothing = "NOTHING",
                                     .pure = "pure",
                                     .prefix = "rover",
                                     .sizes = "SIZES",
                                     .in_float = in_float};
    nh_trim *trim = nh_trim_new(&setting);
    nh_text out = {0};
    nh_trim_know(trim, "WIDTH", 1);
    nh_trim_know_size(trim, "m", 0);
    nh_trim_add(trim, text, NULL);
    nh_trim_mark(trim);
    CHECK(nh_trim_write(trim, &out));
    nh_trim_free(trim);
    return out.data;
}

static void check_trim(const char *text, const char *want)
{
    char *is = trimmed(text, true);
    CHECK_STR(is ? is : "", want);
    free(is);
}

TEST(unused_goes)
{
    check_trim(
        "/* SPDX */\n/* Heading. */\n\n/* a */\nINLINE int a(void)\n{\n    return 1;\n}\n\n"
        "/* b */\nINLINE int b(void)\n{\n    return c() + D;\n}\n\n#define D 2\n#define E 3\n\nint MODEL_f(void)\n"
        "{\n    return b();\n}\n",
        "\n/* Heading. */\n\n/* b */\nstatic int b(void)\n{\n    return c() + D;\n}\n\n#define D 2\n\nint "
        "rover_f(void)\n{\n    return b();\n}\n");
    check_trim("/* H */\nenum { A, B, /* b */\n    C };\nint f(void)\n{\n    return A + C;\n}\n",
               "\n/* H */\n\nenum { A, C };\nint f(void)\n{\n    return A + C;\n}\n");
    check_trim("/* H */\nint f(void)\n{\n    return 0;\n}\nenum { A };\nINLINE void g(void)\n{\n}\n",
               "\n/* H */\n\nint f(void)\n{\n    return 0;\n}\n");
}

TEST(settings)
{
    check_trim(
        "/* H */\n#if WIDTH > 1\nint wide;\n#elif defined OTHER\nint other;\n#else\ntypedef real narrow;\n#endif\n"
        "#pragma unroll\n#define alias narrow\nalias f(CONTEXT, real x)\n{\n    return x + 0.5 + 0x1p3 + 1;\n}\n",
        "\n/* H */\n\ntypedef float narrow;\nnarrow f(float x)\n{\n    return x + 0.5f + 0x1p3f + 1;\n}\n");
    check_trim("/* H */\nvoid f(int x, real *y)\n{\n    SIZES;\n    const int ml = m + 1;\n    real z = pure(0);\n    "
               "int w = g(0);\n    if (m > 0)\n"
               "        CALL(x, ml);\n    NH_CALL(NH_F_FORCE, y, 2.0);\n}\n",
               "\n/* H */\n\nvoid f(int x, float *y)\n{\n    (void)x;\n    SIZES;\n    int w = g(0); (void)w;\n    "
               "model_force(y, 2.0f);\n}\n");
    check_trim("/* H */\nvoid f(real *y)\n{\n    SIZES;\n    const real w = g(0);\n    real *a = y + 1, *b = h(y, 2), "
               "*c = y;\n"
               "    if (m > 0)\n        CALL(w, a);\n    g(b);\n}\n",
               "\n/* H */\n\nvoid f(float *y)\n{\n    SIZES;\n    const float w = g(0); (void)w;\n"
               "    float *a = y + 1, *b = h(y, 2), *c = y; (void)a; (void)c;\n    g(b);\n}\n");
    check_trim("/* H */\nvoid f(int m)\n{\n    if (m > 0)\n        g();\n}\n",
               "\n/* H */\n\nvoid f(int m)\n{\n    if (m > 0)\n        g();\n}\n");
}

/* ---- All of it ---- */

static nh_status export_as(const char *model, const char *method, const char *name, nh_export_files *files,
                           nh_error *error)
{
    nh_model *m = NULL;
    nh_export_options options = nh_export_options_default();
    options.sim.method = method;
    options.name = name;
    nh_status status = nh_model_load(model, NULL, &m, error);
    if (status == NH_OK)
        status = nh_export(m, &options, files, error);
    nh_model_free(m);
    return status;
}

TEST(files)
{
    nh_export_files files;
    nh_error error = {0};
    if (!CHECK_EQ_INT(export_as("mp-particles", "mp", NULL, &files, &error), NH_OK))
        return;
    CHECK_STR(files.name, "mp_particles");
    CHECK(strstr(files.header, "mp_particles_step(mp_particles_state *state);"));
    CHECK(strstr(files.source, "#include \"mp_particles.h\""));
    CHECK(!strstr(files.source, "__") || strstr(files.source, "__") == strstr(files.source, "__clang__"));
    CHECK(!strstr(files.source, "nh_begin(NH") && !strstr(files.source, "nh_stage_sum"));
    CHECK_EQ_INT(files.steps, 100);
    CHECK(files.tolerance == 0);
    nh_export_free(&files);
    nh_export_free(NULL);
    CHECK(!files.name && !files.header && !files.source);
    CHECK_EQ_INT(export_as("sleigh", NULL, NULL, &files, &error), NH_OK);
    CHECK(files.tolerance == 0 && strstr(files.source, "nh_angle") && !strstr(files.header, "nh_angle"));
    nh_export_free(&files);
}

TEST(refusals)
{
    nh_export_files files;
    nh_error error = {0};
    CHECK_EQ_INT(export_as("particle", NULL, "a-b", &files, &error), NH_NAME);
    CHECK_EQ_INT(export_as("particle", NULL, "while", &files, &error), NH_NAME);
    CHECK_EQ_INT(export_as("particle", NULL, "", &files, &error), NH_NAME);
    CHECK_EQ_INT(export_as("sleigh", "mp", NULL, &files, &error), NH_USAGE);
    CHECK_EQ_INT(export_as("spherical-pendulum", "gauss-stabilised(s=2)", NULL, &files, &error), NH_USAGE);
    CHECK(!files.name && !files.header && !files.source);
}

TEST_MAIN(RUN(texts_come_back), RUN(values), RUN(statements), RUN(choices), RUN(unused_goes), RUN(settings), RUN(files),
          RUN(refusals))
