/* SPDX-License-Identifier: MIT */
/* The base layer: errors, memory, texts, maps, hashes, exact numbers, quads. */
#include "test.h"

#include "base/arena.h"
#include "base/fraction.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/number.h"
#include "base/quad.h"
#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- Errors ---- */

TEST(status_texts)
{
    CHECK_STR(nh_status_text(NH_OK), "success");
    CHECK_STR(nh_status_text(NH_USAGE), "the call is wrong");
    CHECK_STR(nh_status_text((nh_status)(NH_CONVERGENCE + 1)), "unknown status");
}

TEST(fail_fills_the_error)
{
    nh_error error = {.line = 3, .column = 4, .file = "old", .excerpt = "old"};
    CHECK_EQ_INT(nh_fail(&error, NH_NAME, "unknown name '%s'", "x"), NH_NAME);
    CHECK_EQ_INT(error.status, NH_NAME);
    CHECK_EQ_INT(error.line, 0);
    CHECK_EQ_INT(error.column, 0);
    CHECK_STR(error.file, "");
    CHECK_STR(error.excerpt, "");
    CHECK_STR(error.message, "unknown name 'x'");
    CHECK_EQ_INT(nh_fail(NULL, NH_LIMIT, "no one listens"), NH_LIMIT);

    nh_fail(&error, NH_MODEL, "in model m: %s", error.message);
    CHECK_STR(error.message, "in model m: unknown name 'x'");

    char large[2000];
    memset(large, 'a', sizeof large);
    large[sizeof large - 1] = '\0';
    nh_fail(&error, NH_VALUE, "%s", large);
    CHECK_EQ_INT(strlen(error.message), sizeof error.message - 1);
}

static void check_format(const nh_error *error, const char *expected)
{
    char buffer[2000];
    CHECK_EQ_INT(nh_error_format(error, buffer, sizeof buffer), strlen(expected));
    CHECK_STR(buffer, expected);
}

TEST(error_format)
{
    nh_error error = {.status = NH_SYNTAX};
    check_format(&error, "the text does not follow the grammar");
    strcpy(error.message, "bad");
    check_format(&error, "bad");
    strcpy(error.file, "a.nh");
    check_format(&error, "a.nh: bad");
    error.line = 2;
    check_format(&error, "a.nh:2: bad");
    error.column = 4;
    check_format(&error, "a.nh:2:4: bad");
    strcpy(error.excerpt, "\tx + y");
    check_format(&error, "a.nh:2:4: bad\n\tx + y\n\t  ^");
    strcpy(error.excerpt, "\u03b1 + y"); /* alpha: two bytes, one column wide */
    check_format(&error, "a.nh:2:4: bad\n\u03b1 + y\n   ^");
    error.column = 1000;
    check_format(&error, "a.nh:2:1000: bad\n\u03b1 + y\n     ^");
    error.file[0] = '\0';
    error.excerpt[0] = '\0';
    check_format(&error, "2:1000: bad");

    char small[4];
    CHECK_EQ_INT(nh_error_format(&error, small, sizeof small), 11);
    CHECK_STR(small, "2:1");
    CHECK_EQ_INT(nh_error_format(&error, NULL, 0), 11);
}

/* ---- Memory ---- */

static bool all_zero(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

TEST(arena_pieces)
{
    nh_arena arena = {0};
    char *pieces[400];
    bool aligned = true, zero = true, intact = true;
    for (size_t i = 0; i < 400; i++) {
        size_t size = i * i % 7001;
        pieces[i] = nh_arena_alloc(&arena, size);
        if (!CHECK(pieces[i] != NULL))
            return;
        aligned &= (uintptr_t)pieces[i] % _Alignof(max_align_t) == 0;
        zero &= all_zero(pieces[i], size);
        memset(pieces[i], (int)(i % 251), size);
    }
    for (size_t i = 0; i < 400; i++)
        for (size_t k = 0; k < i * i % 7001; k++)
            intact &= pieces[i][k] == (char)(i % 251);
    CHECK(aligned);
    CHECK(zero);
    CHECK(intact);
    CHECK(!arena.failed);
    CHECK_STR(nh_arena_text(&arena, "hello world", 5), "hello");
    CHECK_STR(nh_arena_text(&arena, NULL, 0), "");
    nh_arena_free(&arena);
    CHECK(arena.chunk == NULL);
    nh_arena_free(&arena);
}

TEST(arena_failure)
{
    nh_arena arena = {0};
    CHECK(nh_arena_alloc(&arena, SIZE_MAX) == NULL);
    CHECK(arena.failed);
    CHECK(nh_arena_alloc(&arena, 8) != NULL);
    CHECK(arena.failed);
    nh_arena_free(&arena);
    CHECK(!arena.failed);
    CHECK(NH_NEW(&arena, int64_t, SIZE_MAX / 8 + 2) == NULL); /* 8 * count would wrap around to 8 */
    CHECK(arena.failed);
    nh_arena_free(&arena);
    CHECK(nh_arena_text(&arena, "", SIZE_MAX) == NULL);
    nh_arena_free(&arena);
}

TEST(growing_array)
{
    int *items = NULL;
    size_t capacity = 0, count = 0;
    bool kept = true;
    for (; count < 10000 && nh_grow(&items, &capacity, count, sizeof *items); count++)
        items[count] = (int)count;
    CHECK_EQ_INT(count, 10000);
    for (size_t i = 0; i < count; i++)
        kept &= items[i] == (int)i;
    CHECK(kept);
    CHECK(capacity >= 10000 && capacity < 40000);
    size_t full = SIZE_MAX / sizeof *items;
    CHECK(!nh_grow(&items, &full, full, sizeof *items));
    CHECK(items && items[9999] == 9999);
    free(items);
}

/* ---- Texts ---- */

TEST(text_grows)
{
    nh_text text = {0};
    CHECK_STR(nh_text_get(&text), "");
    nh_text_add(&text, "%d-%s", 12, "ab");
    CHECK_STR(nh_text_get(&text), "12-ab");
    nh_text_bytes(&text, "xyz", 2);
    nh_text_bytes(&text, NULL, 0);
    nh_text_add(&text, "%s", "");
    CHECK_STR(nh_text_get(&text), "12-abxy");
    for (int i = 0; i < 1000; i++)
        nh_text_add(&text, "%0*d", i % 100, i);
    CHECK_EQ_INT(strlen(nh_text_get(&text)), text.length);
    CHECK(!text.failed);
    nh_text_free(&text);
    CHECK(text.data == NULL && text.length == 0);
}

TEST(text_failure_stays)
{
    nh_text text = {0};
    nh_text_add(&text, "kept");
    nh_text_bytes(&text, "", SIZE_MAX);
    CHECK(text.failed);
    nh_text_add(&text, "not added");
    CHECK_STR(nh_text_get(&text), "kept");
    nh_text_free(&text);
}

TEST(distance)
{
    CHECK_EQ_INT(nh_text_distance("", "", 3), 0);
    CHECK_EQ_INT(nh_text_distance("mass", "mass", 3), 0);
    CHECK_EQ_INT(nh_text_distance("mass", "mss", 3), 1);
    CHECK_EQ_INT(nh_text_distance("mss", "mass", 3), 1);
    CHECK_EQ_INT(nh_text_distance("mass", "mars", 3), 1);
    CHECK_EQ_INT(nh_text_distance("mass", "amss", 3), 1);
    CHECK_EQ_INT(nh_text_distance("theta", "htet", 3), 2);
    CHECK_EQ_INT(nh_text_distance("kitten", "sitting", 5), 3);
    CHECK_EQ_INT(nh_text_distance("kitten", "sitting", 3), 3);
    CHECK_EQ_INT(nh_text_distance("kitten", "sitting", 2), 3);
    CHECK_EQ_INT(nh_text_distance("abcdef", "uvwxyz", 2), 3);
    CHECK_EQ_INT(nh_text_distance("", "abc", 3), 3);
    CHECK_EQ_INT(nh_text_distance("", "abc", 1), 2);

    char a[300], b[300];
    memset(a, 'a', sizeof a);
    a[299] = '\0';
    memcpy(b, a, sizeof b);
    CHECK_EQ_INT(nh_text_distance(a, b, 2), 0);
    b[10] = 'b';
    CHECK_EQ_INT(nh_text_distance(a, b, 2), 3);
    a[127] = b[127] = '\0';
    CHECK_EQ_INT(nh_text_distance(a, b, 2), 1);
}

/* ---- Maps and hashes ---- */

static void check_map(uint32_t stride)
{
    enum { KEYS = 100000 };
    nh_map map = {0};
    int wrong = 0;
    CHECK_EQ_INT(nh_map_get(&map, 7), 0);
    for (uint32_t i = 0; i < KEYS; i++)
        nh_map_set(&map, i * stride, i + 1);
    for (uint32_t i = 0; i < KEYS; i += 2)
        nh_map_set(&map, i * stride, i + 5);
    for (uint32_t i = 0; i < KEYS; i++)
        wrong += nh_map_get(&map, i * stride) != (i % 2 ? i + 1 : i + 5);
    CHECK_EQ_INT(wrong, 0);
    CHECK_EQ_INT(map.count, KEYS);
    CHECK_EQ_INT(nh_map_get(&map, KEYS * stride), 0);
    CHECK(!map.failed);
    nh_map_free(&map);
    CHECK_EQ_INT(nh_map_get(&map, stride), 0);
}

TEST(map_strides)
{
    check_map(1);
    check_map(64);
    check_map(UINT32_C(40503));
}

TEST(map_extreme_keys)
{
    nh_map map = {0};
    nh_map_set(&map, 0, 5);
    nh_map_set(&map, UINT32_MAX - 1, UINT32_MAX);
    CHECK_EQ_INT(nh_map_get(&map, 0), 5);
    CHECK_EQ_INT(nh_map_get(&map, UINT32_MAX - 1), UINT32_MAX);
    nh_map_set(&map, 0, 0);
    CHECK_EQ_INT(nh_map_get(&map, 0), 0);
    CHECK_EQ_INT(nh_map_get(&map, UINT32_MAX), 0);
    CHECK(!map.failed);
    nh_map_set(&map, UINT32_MAX, 1);
    CHECK(map.failed);
    nh_map_free(&map);
}

/* The values are fixed: cache keys and golden hashes must be the same on every machine. */
TEST(hash_values)
{
    char hex[33];
    CHECK(nh_hash64("", 0, 0) == UINT64_C(0xDDEC1F552CE17CBB));
    CHECK(nh_hash64("nonholonomic", 12, 7) == UINT64_C(0x234EC566262A142F));
    nh_hash_hex("nonholonomic", 12, hex);
    CHECK_STR(hex, "c9a341c9897b40ec74bd37007c3329a9");
    nh_hash_hex(NULL, 0, hex);
    CHECK_EQ_INT(strlen(hex), 32);
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Zeros of each length, and short counters in each position, must not collide. */
TEST(hash_collisions)
{
    enum { ZEROS = 100, COUNTERS = 50000, COUNT = ZEROS + 2 * COUNTERS };
    static uint64_t hashes[COUNT];
    unsigned char bytes[ZEROS] = {0};
    size_t n = 0;
    for (size_t length = 0; length < ZEROS; length++)
        hashes[n++] = nh_hash64(bytes, length, 0);
    for (uint32_t i = 1; i <= COUNTERS; i++) {
        uint32_t words[6] = {i, 0, 0, 0, 0, i};
        hashes[n++] = nh_hash64(words, 20, 0);
        hashes[n++] = nh_hash64(words + 1, 20, 0);
    }
    qsort(hashes, n, sizeof *hashes, compare_hashes);
    int same = 0;
    for (size_t i = 1; i < n; i++)
        same += hashes[i] == hashes[i - 1];
    CHECK_EQ_INT(same, 0);
}

/* Each flipped bit of the input flips about half of the output. */
TEST(hash_avalanche)
{
    unsigned char bytes[21] = "some bytes to hash..";
    uint64_t reference = nh_hash64(bytes, 21, 3);
    int flips = 0;
    for (int bit = 0; bit < 21 * 8; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        flips += __builtin_popcountll(reference ^ nh_hash64(bytes, 21, 3));
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CHECK_NEAR(flips / (21.0 * 8), 32, 1);
    CHECK(nh_hash64(bytes, 21, 4) != reference);
}

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

TEST_MAIN(RUN(status_texts), RUN(fail_fills_the_error), RUN(error_format), RUN(arena_pieces), RUN(arena_failure),
          RUN(growing_array), RUN(text_grows), RUN(text_failure_stays), RUN(distance), RUN(map_strides),
          RUN(map_extreme_keys), RUN(hash_values), RUN(hash_collisions), RUN(hash_avalanche), RUN(parse_rationals),
          RUN(parse_decimals), RUN(questions), RUN(arithmetic), RUN(arithmetic_refuses), RUN(powers),
          RUN(rounding_against_strtod), RUN(rounding_near_midpoints), RUN(rounding_extremes), RUN(print),
          RUN(print_reads_back), RUN(quad_format), RUN(quad_round_trip), RUN(quad_functions), RUN(locale_with_comma),
          RUN(fractions))
