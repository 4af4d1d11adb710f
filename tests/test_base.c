/* SPDX-License-Identifier: MIT */
/* The base layer: errors, memory, texts. */
#include "test.h"

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

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

TEST_MAIN(RUN(status_texts), RUN(fail_fills_the_error), RUN(error_format), RUN(arena_pieces), RUN(arena_failure),
          RUN(growing_array), RUN(text_grows), RUN(text_failure_stays), RUN(distance))
