/* SPDX-License-Identifier: MIT */
/* Checks that count, report and go on: TEST(sums) { CHECK_EQ_INT(1 + 1, 2); } TEST_MAIN(RUN(sums), ...)
 * Program arguments name the tests to run. A check yields whether it held: if (!CHECK(p)) return; */
#ifndef NH_TESTS_TEST_H
#define NH_TESTS_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct {
    int passed, failed;
    const char *name; /* of the running test */
} test_state;

#define TEST(name) static void test_##name(void)
#define RUN(name)  test_one(argc, argv, #name, test_##name)
#define TEST_MAIN(...)                                                                                                 \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        return test_end();                                                                                             \
    }

#define CHECK(condition)            test_report((condition), __FILE__, __LINE__, #condition, "false", "true")
#define CHECK_EQ_INT(a, b)          test_int((long long)(a), (long long)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STR(a, b)             test_text((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_NEAR(a, b, tolerance) test_near((a), (b), (tolerance), __FILE__, __LINE__, #a " ~ " #b)

static inline bool test_report(bool ok, const char *file, int line, const char *what, const char *is, const char *want)
{
    ++*(ok ? &test_state.passed : &test_state.failed);
    if (!ok)
        printf("%s:%d: %s: %s\n    is   %s\n    want %s\n", file, line, test_state.name, what, is, want);
    return ok;
}

static inline bool test_int(long long a, long long b, const char *file, int line, const char *what)
{
    char is[32], want[32];
    snprintf(is, sizeof is, "%lld", a);
    snprintf(want, sizeof want, "%lld", b);
    return test_report(a == b, file, line, what, is, want);
}

static inline bool test_text(const char *a, const char *b, const char *file, int line, const char *what)
{
    return test_report(a && b && !strcmp(a, b), file, line, what, a ? a : "NULL", b ? b : "NULL");
}

static inline bool test_near(double a, double b, double tolerance, const char *file, int line, const char *what)
{
    char is[64], want[64];
    snprintf(is, sizeof is, "%.17g (off by %.3g)", a, a - b);
    snprintf(want, sizeof want, "%.17g +- %.3g", b, tolerance);
    /* equal infinities are near; a NaN is near nothing */
    return test_report(a == b || fabs(a - b) <= tolerance, file, line, what, is, want);
}

static inline void test_one(int argc, char **argv, const char *name, void (*run)(void))
{
    bool wanted = argc < 2;
    for (int i = 1; i < argc; i++)
        wanted |= !strcmp(argv[i], name);
    test_state.name = name;
    if (wanted)
        run();
}

/* A program without a single check fails: it must not look like success. */
static inline int test_end(void)
{
    printf("%d passed, %d failed\n", test_state.passed, test_state.failed);
    return test_state.failed > 0 || test_state.passed == 0;
}

#endif
