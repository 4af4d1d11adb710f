/* SPDX-License-Identifier: MIT */
/* Exact numbers, quads and fractions: as texts and back, to the bit, in every locale. */
#include "test.h"

#include "base/fraction.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/quad.h"

#include <inttypes.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- Exact numbers ---- */

static nh_number parse(const char *text)
{
    return nh_number_parse(text, strlen(text));
}

/* Stays a decimal text, which no check here takes for a ratio, if it does not fit. */
static nh_number ratio(int64_t num, int64_t den)
{
    nh_number out = {0, 0, "1e999"};
    nh_number_div(nh_number_integer(num), nh_number_integer(den), &out);
    return out;
}

static void check_rational(nh_number x, int64_t num, int64_t den)
{
    CHECK_EQ_INT(x.num, num);
    CHECK_EQ_INT(x.den, den);
}

TEST(parse_rationals)
{
    check_rational(parse("0"), 0, 1);
    check_rational(parse("0.000e99999999999999999999"), 0, 1);
    check_rational(parse("12"), 12, 1);
    check_rational(parse("0012.500"), 25, 2);
    check_rational(parse(".5"), 1, 2);
    check_rational(parse("5."), 5, 1);
    check_rational(parse("1.5e-3"), 3, 2000);
    check_rational(parse("1.5E+3"), 1500, 1);
    check_rational(parse("100e-2"), 1, 1);
    check_rational(parse("1e18"), INT64_C(1000000000000000000), 1);
    check_rational(parse("1e-18"), 1, INT64_C(1000000000000000000));
    check_rational(parse("6.674e-11"), 3337, INT64_C(50000000000000));
    check_rational(parse("9223372036854775807"), INT64_MAX, 1);
    check_rational(parse("0.000000000000000000000000000001e30"), 1, 1);
    check_rational(parse("1000000000000000000000000000000e-30"), 1, 1);
    check_rational(nh_number_parse("12.75", 4), 127, 10);
    check_rational(nh_number_parse("2e", 2), 2, 1);
    /* 2^-62 and (2^63 - 1) / 2^62: the longest decimals that fit */
    check_rational(parse("2.16840434497100886801490560173988342285156250e-19"), 1, INT64_C(1) << 62);
    check_rational(parse("1.9999999999999999997831595655028991131985094398260116577148437500"), INT64_MAX,
                   INT64_C(1) << 62);
}

TEST(parse_decimals)
{
    const char *const texts[] = {
        "9223372036854775808",
        "1e19",
        "1e400",
        "1e-400",
        "1e-19",
        "123456789012345678901234567890",
        "1.00000000000000000001",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "1.084202172485504434007452800869941711425781250e-19", /* 2^-63 */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        nh_number x = parse(texts[i]);
        CHECK(!nh_number_is_rational(x));
        CHECK(x.decimal == texts[i]);
        CHECK(nh_number_double(x) == strtod(texts[i], NULL));
    }
    CHECK(nh_number_double(parse("1e400")) == INFINITY);
    CHECK(nh_number_double(parse("1e-400")) == 0);
    CHECK(nh_number_double(nh_number_parse("1e30*x", 4)) == 1e30);
}

TEST(questions)
{
    int64_t value = 1;
    CHECK(nh_number_is(nh_number_integer(-3), -3));
    CHECK(!nh_number_is(ratio(-3, 2), -3));
    CHECK(!nh_number_is(parse("1e30"), 0));
    CHECK(nh_number_is_integer(parse("2.0"), &value) && value == 2);
    CHECK(!nh_number_is_integer(parse("2.5"), &value) && value == 2);
    CHECK(!nh_number_is_integer(parse("1e30"), &value));
    CHECK(nh_number_equal(parse("0.50"), ratio(-3, -6)));
    CHECK(!nh_number_equal(parse("0.5"), nh_number_integer(1)));
    CHECK(nh_number_equal(parse("1e30"), parse("0010.00E+0029")));
    CHECK(nh_number_equal(parse("123.45e40"), parse("0.12345e43")));
    CHECK(!nh_number_equal(parse("1e30"), parse("1e31")));
    CHECK(!nh_number_equal(parse("12e40"), parse("1.3e41")));
    CHECK(!nh_number_equal(parse("1.2e40"), parse("12.3e40")));
    CHECK(!nh_number_equal(parse("1e30"), nh_number_integer(0)));
    CHECK(!nh_number_equal(parse("1e99999999999999999998"), parse("1e99999999999999999999")));
}

TEST(arithmetic)
{
    nh_number x;
    CHECK(nh_number_add(ratio(1, 6), ratio(1, 3), &x));
    check_rational(x, 1, 2);
    CHECK(nh_number_add(ratio(1, 2), ratio(-1, 2), &x));
    check_rational(x, 0, 1);
    CHECK(nh_number_mul(ratio(-2, 3), ratio(9, 4), &x));
    check_rational(x, -3, 2);
    CHECK(nh_number_div(ratio(1, 2), ratio(-3, 4), &x));
    check_rational(x, -2, 3);
    CHECK(nh_number_mul(ratio(INT64_MAX, 7), ratio(7, INT64_MAX), &x));
    check_rational(x, 1, 1);
    CHECK(nh_number_add(ratio(1, INT64_MAX), ratio(-1, INT64_MAX), &x));
    check_rational(x, 0, 1);
    CHECK(nh_number_add(nh_number_integer(INT64_MIN), nh_number_integer(1), &x));
    check_rational(x, -INT64_MAX, 1);
    CHECK(nh_number_div(nh_number_integer(INT64_MIN), nh_number_integer(-2), &x));
    check_rational(x, INT64_C(1) << 62, 1);
    CHECK(nh_number_div(nh_number_integer(INT64_MIN), nh_number_integer(INT64_MIN), &x));
    check_rational(x, 1, 1);
}

TEST(arithmetic_refuses)
{
    nh_number most = nh_number_integer(INT64_MAX), one = nh_number_integer(1), least = nh_number_integer(INT64_MIN);
    nh_number minus = nh_number_integer(-1), zero = nh_number_integer(0), decimal = parse("1e30"), x = one;
    CHECK(!nh_number_add(most, one, &x));
    CHECK(!nh_number_add(least, minus, &x));
    CHECK(!nh_number_add(least, least, &x));
    CHECK(!nh_number_add(nh_number_integer(-INT64_MAX), minus, &x));
    CHECK(!nh_number_mul(least, minus, &x));
    CHECK(!nh_number_mul(least, least, &x));
    CHECK(!nh_number_mul(most, nh_number_integer(2), &x));
    CHECK(!nh_number_div(least, minus, &x));
    CHECK(!nh_number_div(one, least, &x));
    CHECK(!nh_number_div(one, zero, &x));
    CHECK(!nh_number_div(zero, zero, &x));
    CHECK(!nh_number_add(ratio(1, INT64_MAX), ratio(1, 2), &x));
    CHECK(!nh_number_add(zero, decimal, &x));
    CHECK(!nh_number_mul(decimal, zero, &x));
    CHECK(!nh_number_div(zero, decimal, &x));
    CHECK(!nh_number_pow(decimal, 1, &x));
    check_rational(x, 1, 1);
}

TEST(powers)
{
    nh_number x, two = nh_number_integer(2), zero = nh_number_integer(0);
    CHECK(nh_number_pow(ratio(-2, 3), 3, &x));
    check_rational(x, -8, 27);
    CHECK(nh_number_pow(ratio(-2, 3), -3, &x));
    check_rational(x, -27, 8);
    CHECK(nh_number_pow(two, 62, &x));
    check_rational(x, INT64_C(1) << 62, 1);
    CHECK(!nh_number_pow(two, 63, &x));
    CHECK(!nh_number_pow(nh_number_integer(-2), 63, &x));
    CHECK(nh_number_pow(two, -62, &x));
    check_rational(x, 1, INT64_C(1) << 62);
    CHECK(nh_number_pow(nh_number_integer(INT64_MAX), 1, &x));
    check_rational(x, INT64_MAX, 1);
    CHECK(nh_number_pow(zero, 0, &x));
    check_rational(x, 1, 1);
    CHECK(nh_number_pow(zero, INT64_MAX, &x));
    check_rational(x, 0, 1);
    CHECK(!nh_number_pow(zero, -1, &x));
    CHECK(nh_number_pow(nh_number_integer(-1), INT64_MIN, &x));
    check_rational(x, 1, 1);
    CHECK(nh_number_pow(nh_number_integer(-1), INT64_MAX, &x));
    check_rational(x, -1, 1);
    CHECK(!nh_number_pow(two, INT64_MIN, &x));
}

static uint64_t random_bits(uint64_t *state)
{
    ++*state;
    return nh_hash64(state, sizeof *state, 0);
}

/* Literals of 16 to 19 digits: numerators and denominators beyond 2^53, which must not be rounded before the division.
 */
TEST(rounding_against_strtod)
{
    uint64_t state = 0;
    int wrong = 0, rational = 0;
    for (int i = 0; i < 200000; i++) {
        char text[64];
        int64_t digits = (int64_t)(random_bits(&state) >> (1 + i % 10));
        snprintf(text, sizeof text, "%" PRId64 "e-%d", digits, i % 21);
        nh_number x = parse(text);
        rational += nh_number_is_rational(x);
        wrong += nh_number_double(x) != strtod(text, NULL);
    }
    CHECK_EQ_INT(wrong, 0);
    CHECK(rational > 100000);
}

/* Values 1/den beside the midpoint 2^53 + 1 of two doubles: a numerator rounded first would end on the wrong side. */
TEST(rounding_near_midpoints)
{
    const int64_t middle = (INT64_C(1) << 53) + 1;
    int wrong = 0;
    for (int64_t den = 3; den < 1024; den++) {
        wrong += nh_number_double(ratio(middle * den + 1, den)) != 0x1p53 + 2;
        wrong += nh_number_double(ratio(middle * den - 1, den)) != 0x1p53;
        wrong += nh_number_double(ratio(-middle * den - 1, den)) != -0x1p53 - 2;
    }
    CHECK_EQ_INT(wrong, 0);
    CHECK(nh_number_double(ratio(middle, 2)) == 0x1p52);
    CHECK(nh_number_double(ratio(middle + 2, 2)) == 0x1p52 + 2);
}

TEST(rounding_extremes)
{
    CHECK(nh_number_double(nh_number_integer(INT64_MIN)) == -0x1p63);
    CHECK(nh_number_double(nh_number_integer(INT64_MAX)) == 0x1p63);
    CHECK(nh_number_double((nh_number){INT64_MIN, INT64_MAX, NULL}) == -1);
    CHECK(nh_number_double(ratio(1, INT64_MAX)) == 0x1p-63);
    CHECK(nh_number_double(ratio(INT64_MAX - 1, INT64_MAX)) == 1);
    CHECK(nh_number_double(ratio(1, 3)) == 1.0 / 3.0);
    CHECK(nh_number_double(ratio(-1, 10)) == -0.1);
    CHECK(nh_number_double(nh_number_integer(0)) == 0);
}

static void check_print(nh_number x, const char *expected)
{
    nh_text text = {0};
    nh_number_print(x, &text);
    CHECK_STR(nh_text_get(&text), expected);
    nh_text_free(&text);
}

TEST(print)
{
    check_print(nh_number_integer(0), "0");
    check_print(nh_number_integer(-3), "-3");
    check_print(nh_number_integer(INT64_MIN), "-9223372036854775808");
    check_print(parse("0.1"), "0.1");
    check_print(parse("2.50"), "2.5");
    check_print(ratio(-5, 2), "-2.5");
    check_print(ratio(1, 8), "0.125");
    check_print(ratio(1, 3), "1/3");
    check_print(ratio(-22, 7), "-22/7");
    check_print(ratio(1, 1024), "1/1024");
    check_print(parse("3.141592653589793"), "3.141592653589793");
    check_print(parse("0.0001"), "0.0001");
    check_print(parse("0.00001"), "1e-5");
    check_print(parse("6.674e-11"), "6.674e-11");
    check_print(ratio(1, INT64_C(1) << 62), "1/4611686018427387904");
    check_print(nh_number_parse("1.5e400 + x", 7), "1.5e400");
}

/* Reads what nh_number_print wrote, as the grammar of expressions does. */
static nh_number read_back(const char *text)
{
    bool negative = *text == '-';
    text += negative;
    const char *slash = strchr(text, '/');
    nh_number x = nh_number_parse(text, slash ? (size_t)(slash - text) : strlen(text));
    bool fits = !slash || nh_number_div(x, parse(slash + 1), &x);
    fits = fits && (!negative || nh_number_mul(nh_number_integer(-1), x, &x));
    return fits ? x : parse("1e999");
}

TEST(print_reads_back)
{
    static const int64_t dens[] = {
        1, 2, 5, 8, 10, 1000, 3, 1024, 1953125, INT64_C(1000000000000000000), INT64_C(1) << 62};
    uint64_t state = 0;
    int wrong = 0;
    for (int i = 0; i < 20000; i++) {
        int64_t num = (int64_t)(random_bits(&state) >> (1 + i % 63));
        int64_t den = i % 13 < 11 ? dens[i % 13] : (int64_t)(random_bits(&state) >> (1 + i % 60)) + 1;
        nh_number x;
        if (!nh_number_div(nh_number_integer(i % 2 ? num : -num), nh_number_integer(den), &x))
            continue;
        nh_text text = {0};
        nh_number_print(x, &text);
        wrong += !nh_number_equal(read_back(nh_text_get(&text)), x);
        nh_text_free(&text);
    }
    CHECK_EQ_INT(wrong, 0);
}

/* ---- Quads ---- */

static void check_quad_format(const char *text, const char *expected)
{
    char buffer[64];
    char *end;
    nh_quad x = nh_quad_parse(text, &end);
    CHECK_STR(end, "");
    CHECK_EQ_INT(nh_quad_format(buffer, sizeof buffer, x), strlen(expected));
    CHECK_STR(buffer, expected);
}

TEST(quad_format)
{
    check_quad_format("1.5", "1.5e+00");
    check_quad_format("-1", "-1e+00");
    check_quad_format("0", "0e+00");
    check_quad_format("100", "1e+02");
    check_quad_format("inf", "inf");
    check_quad_format("nan", "nan");
    char small[3];
    CHECK_EQ_INT(nh_quad_format(small, sizeof small, 1), 5);
    CHECK_STR(small, "1e");
    if (!NH_QUAD_IS_FLOAT128)
        return;
    check_quad_format("0.1", "1e-01");
    check_quad_format("3.141592653589793238462643383279503", "3.141592653589793238462643383279503e+00");
    check_quad_format("1e4932", "1e+4932");
}

/* Products of a random integer and a power of two or ten, with all bits in use. */
TEST(quad_round_trip)
{
    uint64_t state = 0;
    int wrong = 0, longest = 0;
    for (int i = 0; i < 20000; i++) {
        nh_quad x = (nh_quad)random_bits(&state) + (nh_quad)random_bits(&state) * (nh_quad)0x1p-64;
        for (int k = 0; k < i % 50; k++)
            x *= i % 2 ? (nh_quad)1e-5 : (nh_quad)1e5;
        char buffer[64];
        int length = nh_quad_format(buffer, sizeof buffer, i % 3 ? x : -x);
        longest = length > longest ? length : longest;
        wrong += nh_quad_parse(buffer, NULL) != (i % 3 ? x : -x);
    }
    CHECK_EQ_INT(wrong, 0);
    CHECK(longest <= NH_QUAD_DIGITS + 8);
}

TEST(quad_functions)
{
    nh_quad root = nh_quad_sqrt(2);
    CHECK((double)nh_quad_abs(root * root - 2) < (NH_QUAD_IS_FLOAT128 ? 1e-33 : 1e-15));
    CHECK(nh_quad_abs((nh_quad)-0.5) == (nh_quad)0.5);
    CHECK(nh_quad_sqrt((nh_quad)-1) != nh_quad_sqrt((nh_quad)-1));
    CHECK(nh_number_quad(ratio(1, 10)) == nh_quad_parse("0.1", NULL));
    CHECK(nh_number_quad(ratio(INT64_MAX, 3)) == (nh_quad)INT64_MAX / 3);
    CHECK(nh_number_quad(parse("1e30")) == nh_quad_parse("1e30", NULL));
    CHECK(nh_number_quad(parse("1e-300")) == nh_quad_parse("1e-300", NULL));
}

/* ---- Fractions ---- */

TEST(fractions)
{
    static const struct {
        const char *text;
        bool good, integer;
        double value;
    } row[] = {{"3", true, true, 3},     {"+3.0", true, true, 3}, {"-6/2", true, true, -3},
               {".5", true, false, 0.5}, {"5.", true, true, 5},   {"-1.5e-1", true, false, -0.15},
               {"1/.25", true, true, 4}, {"", false, false, 0},   {"-", false, false, 0},
               {".", false, false, 0},   {"1/", false, false, 0}, {"1/-2", false, false, 0},
               {"1e", false, false, 0},  {"1 ", false, false, 0}, {"1/2/3", false, false, 0},
               {"--1", false, false, 0}, {"e5", false, false, 0}, {"1e+", false, false, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        nh_fraction x;
        int64_t value = 0;
        bool good = nh_fraction_parse(row[i].text, strlen(row[i].text), &x);
        if (!CHECK(good == row[i].good))
            printf("    '%s'\n", row[i].text);
        if (!good)
            continue;
        CHECK_NEAR((double)nh_fraction_quad(&x), row[i].value, 0);
        CHECK(nh_fraction_is_integer(&x, &value) == row[i].integer);
        CHECK(!row[i].integer || (double)value == row[i].value);
    }
    nh_fraction third, infinite;
    CHECK(nh_fraction_parse("1/3 and more", 3, &third) && nh_fraction_quad(&third) == (nh_quad)1 / 3);
    CHECK(nh_fraction_parse("1/0", 3, &infinite) && nh_number_is(infinite.bottom, 0));
}

/* ---- Locales ---- */

/* Where the machine has a locale with a decimal comma, it must change nothing. */
TEST(locale_with_comma)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !setlocale(LC_NUMERIC, names[i]); i++)
        ;
    check_quad_format("1.5", "1.5e+00");
    CHECK(nh_double_parse("2.5", NULL) == 2.5);
    CHECK(nh_number_double(parse("1.5e30")) == 1.5e30);
    check_print(parse("0.1"), "0.1");
    setlocale(LC_NUMERIC, "C");
}

TEST_MAIN(RUN(parse_rationals), RUN(parse_decimals), RUN(questions), RUN(arithmetic), RUN(arithmetic_refuses),
          RUN(powers), RUN(rounding_against_strtod), RUN(rounding_near_midpoints), RUN(rounding_extremes), RUN(print),
          RUN(print_reads_back), RUN(quad_format), RUN(quad_round_trip), RUN(quad_functions), RUN(fractions),
          RUN(locale_with_comma))
