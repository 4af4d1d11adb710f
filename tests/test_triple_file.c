/* SPDX-License-Identifier: MIT */
/* Triples in files: what is read, and what is said about files that are wrong. */
#include "tableau/check.h"
#include "tableau/grid.h"
#include "test.h"

#define GOOD "stages 2 # two\n\nc 0 1\nb 1/2 0.5\nA 0 0\n  .5 5e-1\nAhat\n\t1/2 0\n\t1/2 0\r\n"

#define ZEROS " 0 0 0\n 0 0 0\n 0 0 0"

TEST(files)
{
    static const char *const good = GOOD "Atilde 1/4 -1/4\n       3/4 +0.25";
    nh_arena arena = {0};
    nh_error error = {0};
    nh_triple read, made;
    CHECK_EQ_INT(nh_triple_make(&arena, "lobatto-abd", 2, &made, &error), NH_OK);
    if (!CHECK_EQ_INT(nh_triple_read(&arena, "my.triple", good, strlen(good), &read, &error), NH_OK))
        puts(error.message);
    CHECK_EQ_INT(read.position.stages, 2);
    for (int k = 0; k < 4; k++)
        CHECK(read.position.A[k] == made.position.A[k] && read.force.A[k] == made.force.A[k] &&
              read.reaction.A[k] == made.reaction.A[k]);
    for (int i = 0; i < 2; i++)
        CHECK(read.force.b[i] == made.position.b[i] && read.reaction.c[i] == made.position.c[i]);
    nh_triple_report report = nh_triple_measure(&read, 0);
    CHECK(report.dalembert && report.symmetric);

    static const char *const third = "stages 1\nc 1/3\nb 1\nA 1/3.5\nAhat 0.333333333333333333333333333333333333\n"
                                     "Atilde 1e-7";
    CHECK_EQ_INT(nh_triple_read(&arena, "t", third, strlen(third), &read, &error), NH_OK);
    CHECK(read.position.c[0] == (nh_quad)1 / 3 && nh_quad_abs(3 * read.force.A[0] - 1) <= NH_QUAD_EPSILON);
    CHECK(read.position.A[0] == (nh_quad)2 / 7 && read.reaction.A[0] == 1 / (nh_quad)10000000);
    CHECK_EQ_INT(nh_triple_load(&arena, "no/such/file", &read, &error), NH_FILE);
    CHECK_STR(error.message, "cannot read no/such/file: No such file or directory");
    CHECK_EQ_INT(nh_triple_load(&arena, NH_TEST_DIR "/golden/tableaux_dae.json", &read, &error), NH_SYNTAX);
    CHECK_EQ_INT(error.line, 1);
    nh_arena_free(&arena);
}

TEST(wrong_files)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "f:1:1: the file ends without 'stages'"},
        {"stages 2\nc 0 1\n", "f:3:1: the file ends without 'b'"},
        {GOOD, "f:10:1: the file ends without 'Atilde'"},
        {"c 0 1", "f:1:1: c before stages: begin with a line like 'stages 2'\nc 0 1\n^"},
        {"stages", "f:1:7: stages must be a whole number from 1 to 64\nstages\n      ^"},
        {"stages 0", "f:1:8: stages must be a whole number from 1 to 64\nstages 0\n       ^"},
        {"stages 65", "f:1:8: stages must be a whole number from 1 to 64\nstages 65\n       ^"},
        {"stages 9999999999999999999999", "f:1:8: stages must be a whole number from 1 to 64\n"
                                          "stages 9999999999999999999999\n       ^"},
        {"stages 2.5", "f:1:8: stages must be a whole number from 1 to 64\nstages 2.5\n       ^"},
        {"stages 2 2", "f:1:10: nothing can follow the number of stages\nstages 2 2\n         ^"},
        {"stages 2\nstages 2", "f:2:1: stages is given twice\nstages 2\n^"},
        {"stages 2\nc 0 1\nc 0 1", "f:3:1: c is given twice, first on line 2\nc 0 1\n^"},
        {"stages 2\nd 0 1", "f:2:1: 'd' is no keyword; there are stages, c, b, A, Ahat, Atilde\nd 0 1\n^"},
        {"stages 2\n  0 1", "f:2:3: an indented line goes on with c, b or a matrix, but none is above it\n  0 1\n  ^"},
        {"stages 2\nc 0", "f:2:3: 1 number in a row of c; stages 2 needs 2\nc 0\n  ^"},
        {"stages 2\nc 0 1 2", "f:2:7: more than 2 numbers in a row of c\nc 0 1 2\n      ^"},
        {"stages 2\nc 0 1\n 2 3", "f:3:2: c has 1 row; this is one more\n 2 3\n ^"},
        {"stages 2\nA 0 1\nb 0 1", "f:3:1: A (line 2) has 1 row; stages 2 needs 2\nb 0 1\n^"},
        {"stages 2\nA 0 1", "f:2:1: A (line 2) has 1 row; stages 2 needs 2\nA 0 1\n^"},
        {"stages 2\nc 0 1x", "f:2:5: '1x' is no number: write 2, -0.5, 1.5e-3 or a fraction like 1/3\nc 0 1x\n    ^"},
        {"stages 1\nc sqrt(3)", "f:2:3: 'sqrt(3)' is no number: write 2, -0.5, 1.5e-3 or a fraction like 1/3\n"
                                "c sqrt(3)\n  ^"},
        {"stages 1\nc ½", "f:2:3: '½' is no number: write 2, -0.5, 1.5e-3 or a fraction like 1/3\nc ½\n  ^"},
        {"stages 1\nc .", "f:2:3: '.' is no number: write 2, -0.5, 1.5e-3 or a fraction like 1/3\nc .\n  ^"},
        {"stages 1\nc 1/", "f:2:3: '1/' is no number: write 2, -0.5, 1.5e-3 or a fraction like 1/3\nc 1/\n  ^"},
        {"stages 1\nc nan", "f:2:3: 'nan' is no number: write 2, -0.5, 1.5e-3 or a fraction like 1/3\nc nan\n  ^"},
        {"stages 1\nc 0x1", "f:2:3: '0x1' is no number: write 2, -0.5, 1.5e-3 or a fraction like 1/3\nc 0x1\n  ^"},
        {"stages 1\nc 1/0", "f:2:3: division by zero\nc 1/0\n  ^"},
        {"stages 1\nc 1e99999", "f:2:3: the number is not finite\nc 1e99999\n  ^"},
        {"stages 2\nc 0 0.0", "f:2:5: stage 2 has the node of stage 1: multipliers are not determined\nc 0 0.0\n    ^"},
        {"stages 2\nb 1 0", "f:2:5: the weight of stage 2 is 0: multipliers are not determined\nb 1 0\n    ^"},
        {"stages 2\nb\n 1/2 1/3", "f:3:2: the weights b must add up to 1, and miss it by -0.17\n 1/2 1/3\n ^"},
        {"stages 2\nb .5 .4", "f:2:3: the weights b must add up to 1, and miss it by -0.1\nb .5 .4\n  ^"},
        {"stages 1\nb 0.99999998", "f:2:3: the weights b must add up to 1, and miss it by -2e-08\nb 0.99999998\n  ^"},
        {"stages 1\nb 9.9999998e-1", "f:2:3: the weights b must add up to 1, and miss it by -2e-08\n"
                                     "b 9.9999998e-1\n  ^"},
        {"stages 1\nc 1/1e-99999", "f:2:3: the number is not finite\nc 1/1e-99999\n  ^"},
    };
    nh_arena arena = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        nh_error error = {0};
        nh_triple triple;
        char message[1400] = "";
        CHECK(nh_triple_read(&arena, "f", wrong[i].text, strlen(wrong[i].text), &triple, &error) != NH_OK);
        CHECK(nh_triple_read(&arena, "f", wrong[i].text, strlen(wrong[i].text), &triple, NULL) == error.status);
        nh_error_format(&error, message, sizeof message);
        CHECK_STR(message, wrong[i].message);
    }
    nh_arena_free(&arena);
}

/* Weights need not be exact, if there are more than a few digits. */
TEST(rounded_weights)
{
    static const char *const weights[] = {
        "0.2777777777777778 0.4444444444444444 0.2777777777777778",
        "0.27777778 0.44444444 0.27777778",
        "0.2777777777 0.4444444444 0.2777777777", /* cut off, not rounded */
        "2.7777777777777778e-1 0.4444444444444444 27.777777777777778E-2",
        "5/18 4/9 5/18",
        "5/18 0.444444444444444444444444444444444444 5/18",
    };
    nh_arena arena = {0};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        nh_error error = {0};
        nh_triple triple;
        char text[256];
        snprintf(text, sizeof text, "stages 3\nc 0 1/2 1\nb %s\nA%s\nAhat%s\nAtilde%s", weights[i], ZEROS, ZEROS,
                 ZEROS);
        if (!CHECK_EQ_INT(nh_triple_read(&arena, "f", text, strlen(text), &triple, &error), NH_OK))
            printf("    %s\n", error.message);
    }
    nh_arena_free(&arena);
}

TEST(zero_byte_in_a_file)
{
    nh_arena arena = {0};
    nh_error error = {0};
    nh_triple triple;
    CHECK_EQ_INT(nh_triple_read(&arena, "f", "stages 1\nc 0\0 1", 14, &triple, &error), NH_SYNTAX);
    CHECK_STR(error.message, "the text has a zero byte");
    nh_arena_free(&arena);
}

/* The end of the line is shown, with the place at column 60. */
TEST(wrong_in_a_long_line)
{
    nh_arena arena = {0};
    nh_error error = {0};
    nh_triple triple;
    char line[2000];
    memset(line, ' ', sizeof line);
    memcpy(line, "stages 1\nc", 10);
    line[sizeof line - 1] = 'x';
    CHECK_EQ_INT(nh_triple_read(&arena, "f", line, sizeof line, &triple, &error), NH_SYNTAX);
    CHECK(error.line == 2 && error.column == 1991);
    CHECK(strlen(error.excerpt) == strlen("…") + 59 && !strncmp(error.excerpt, "…", strlen("…")));
    CHECK(error.excerpt[strlen(error.excerpt) - 1] == 'x');
    nh_arena_free(&arena);
}

TEST_MAIN(RUN(files), RUN(wrong_files), RUN(rounded_weights), RUN(zero_byte_in_a_file), RUN(wrong_in_a_long_line))
