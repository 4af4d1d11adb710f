/* SPDX-License-Identifier: MIT */
/* CSV tables: round trips, malformed files, failing disks. */
#define _XOPEN_SOURCE 700
#include "test.h"

#include <nonholo/nonholo.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static nh_table *parse(const char *text)
{
    nh_table *table = NULL;
    nh_error error = {0};
    if (!CHECK_EQ_INT(nh_table_parse(text, strlen(text), "test", &table, &error), NH_OK))
        printf("    %d:%d: %s\n", error.line, error.column, error.message);
    return table;
}

static void expect_failure(const char *text, unsigned long length, nh_status status, int line, int column,
                           const char *message)
{
    nh_table *table = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_table_parse(text, length, "test.csv", &table, &error), status);
    CHECK(table == NULL);
    CHECK_STR(error.file, "test.csv");
    CHECK_EQ_INT(error.line, line);
    CHECK_EQ_INT(error.column, column);
    if (!CHECK(strstr(error.message, message) != NULL))
        printf("    %s\n", error.message);
    CHECK_EQ_INT(nh_table_parse(text, length, "test.csv", &table, NULL), status);
}

static void expect(const char *text, nh_status status, int line, int column, const char *message)
{
    expect_failure(text, strlen(text), status, line, column, message);
}

TEST(round_trip)
{
    const char *names[] = {"t", "q[2]'", "a,b", "say \"x\"", "#", " blank ", "\u03b8"};
    enum { COLUMNS = 7, ROWS = 5000 };
    nh_table_writer *writer = NULL;
    nh_table *table = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_table_create("table_test.csv", names, COLUMNS, &writer, &error), NH_OK);
    for (int i = 0; i < ROWS; i++) {
        char cells[COLUMNS][40];
        const char *row[COLUMNS];
        for (int k = 0; k < COLUMNS; k++) {
            snprintf(cells[k], sizeof cells[k], "%.17g", sin(i + 0.1 * k) * pow(10, i % 600 - 300));
            row[k] = cells[k];
        }
        CHECK_EQ_INT(nh_table_row(writer, row), NH_OK);
    }
    CHECK_EQ_INT(nh_table_close(writer, &error), NH_OK);
    if (!CHECK_EQ_INT(nh_table_read("table_test.csv", &table, &error), NH_OK)) {
        printf("    %d:%d: %s\n", error.line, error.column, error.message);
        return;
    }
    CHECK_EQ_INT(nh_table_columns(table), COLUMNS);
    CHECK_EQ_INT(nh_table_rows(table), ROWS);
    for (int k = 0; k < COLUMNS; k++) {
        CHECK_STR(nh_table_name(table, k), names[k]);
        CHECK_EQ_INT(nh_table_find(table, names[k]), k);
        int changed = 0;
        for (int i = 0; i < ROWS; i++)
            changed += nh_table_column(table, k)[i] != sin(i + 0.1 * k) * pow(10, i % 600 - 300);
        CHECK_EQ_INT(changed, 0);
    }
    CHECK_EQ_INT(nh_table_find(table, "none"), -1);
    CHECK(nh_table_name(table, COLUMNS) == NULL && nh_table_name(table, -1) == NULL);
    CHECK(nh_table_column(table, COLUMNS) == NULL);
    nh_table_free(table);
    remove("table_test.csv");
}

TEST(cells)
{
    FILE *stream = tmpfile();
    const char *names[] = {"a", "b"};
    nh_table_writer *writer = NULL;
    CHECK_EQ_INT(nh_table_attach(stream, "stream", names, 2, &writer, NULL), NH_OK);
    CHECK_EQ_INT(nh_table_row(writer, (const char *[]){"1,5", NULL}), NH_OK);
    CHECK_EQ_INT(nh_table_row(writer, (const char *[]){"two\nlines", "\"q\""}), NH_OK);
    CHECK_EQ_INT(nh_table_close(writer, NULL), NH_OK);
    char buffer[100] = "";
    rewind(stream);
    CHECK(fread(buffer, 1, sizeof buffer - 1, stream) > 0);
    CHECK_STR(buffer, "a,b\n\"1,5\",\ntwo lines,\"\"\"q\"\"\"\n");
    fclose(stream);
}

/* What was written is in the file before it is closed: the first row at once, whole rows in any case. */
TEST(rows_are_readable_at_once)
{
    const char *names[] = {"a"};
    nh_table_writer *writer = NULL;
    nh_table *table = NULL;
    CHECK_EQ_INT(nh_table_create("table_open.csv", names, 1, &writer, NULL), NH_OK);
    for (int i = 0; i < 100000; i++)
        nh_table_row(writer, (const char *[]){"1.2345678901234567"});
    CHECK_EQ_INT(nh_table_read("table_open.csv", &table, NULL), NH_OK);
    CHECK(nh_table_rows(table) > 80000);
    CHECK_NEAR(nh_table_column(table, 0)[nh_table_rows(table) - 1], 1.2345678901234567, 0);
    nh_table_free(table);
    CHECK_EQ_INT(nh_table_flush(writer), NH_OK);
    CHECK_EQ_INT(nh_table_read("table_open.csv", &table, NULL), NH_OK);
    CHECK_EQ_INT(nh_table_rows(table), 100000);
    nh_table_free(table);
    const struct timespec pause = {0, 250000000};
    nanosleep(&pause, NULL);
    CHECK_EQ_INT(nh_table_row(writer, (const char *[]){"2"}), NH_OK);
    CHECK_EQ_INT(nh_table_read("table_open.csv", &table, NULL), NH_OK);
    CHECK_EQ_INT(nh_table_rows(table), 100001);
    nh_table_free(table);
    CHECK_EQ_INT(nh_table_close(writer, NULL), NH_OK);
    remove("table_open.csv");
}

TEST(write_errors)
{
    const char *names[] = {"a"};
    nh_table_writer *writer = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_table_create("/nonexistent/t.csv", names, 1, &writer, &error), NH_FILE);
    CHECK(writer == NULL && strstr(error.message, "/nonexistent/t.csv"));
    CHECK_EQ_INT(nh_table_create("t.csv", names, 0, &writer, &error), NH_LIMIT);
    CHECK_EQ_INT(nh_table_close(NULL, &error), NH_OK);
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return;
    fclose(full);
    CHECK_EQ_INT(nh_table_create("/dev/full", names, 1, &writer, &error), NH_FILE);
    CHECK(writer == NULL && strstr(error.message, "/dev/full: "));
}

/* A disk that is full in the middle of a run. */
TEST(full_disk)
{
    const char *names[] = {"a"};
    nh_table_writer *writer = NULL;
    nh_error error = {0};
    struct rlimit before;
    int rows = 0;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){200000, before.rlim_max});
    CHECK_EQ_INT(nh_table_create("table_full.csv", names, 1, &writer, &error), NH_OK);
    while (rows < 1000000 && nh_table_row(writer, (const char *[]){"1.2345678901234567"}) == NH_OK)
        rows++;
    CHECK(rows > 1000 && rows < 100000);
    CHECK_EQ_INT(nh_table_flush(writer), NH_FILE);
    CHECK_EQ_INT(error.status, NH_OK);
    CHECK_EQ_INT(nh_table_close(writer, &error), NH_FILE);
    CHECK(strstr(error.message, "cannot write table_full.csv: ") != NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    nh_table *table = NULL; /* as much as had room, without a part of a row */
    CHECK_EQ_INT(nh_table_read("table_full.csv", &table, &error), NH_OK);
    if (table) {
        CHECK_EQ_INT(nh_table_rows(table), (200000 - 2) / 19);
        CHECK_NEAR(nh_table_column(table, 0)[nh_table_rows(table) - 1], 1.2345678901234567, 0);
    }
    nh_table_free(table);
    remove("table_full.csv");
}

/* A stream of others, whose file is open to add to it: what was there stays there. */
TEST(full_disk_behind_a_stream)
{
    const char *names[] = {"a"};
    nh_table_writer *writer = NULL;
    struct rlimit before;
    char line[64];
    FILE *stream = fopen("table_stream.csv", "w");
    fputs("# a line of others\n", stream);
    fclose(stream);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, before.rlim_max});
    stream = fopen("table_stream.csv", "a");
    CHECK_EQ_INT(nh_table_attach(stream, "stream", names, 1, &writer, NULL), NH_OK);
    for (int i = 0; i < 10; i++)
        nh_table_row(writer, (const char *[]){"1.2345678901234567"});
    CHECK_EQ_INT(nh_table_close(writer, NULL), NH_FILE);
    fclose(stream);
    setrlimit(RLIMIT_FSIZE, &before);
    int lines = 0;
    stream = fopen("table_stream.csv", "r");
    while (fgets(line, sizeof line, stream))
        CHECK_STR(line, lines++ == 0 ? "# a line of others\n" : lines == 2 ? "a\n" : "1.2345678901234567\n");
    CHECK_EQ_INT(lines, 2 + (100 - 19 - 2) / 19);
    fclose(stream);
    remove("table_stream.csv");
}

/* A stream without a file. */
TEST(stream_in_memory)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    nh_table_writer *writer = NULL;
    CHECK_EQ_INT(nh_table_attach(stream, "memory", (const char *[]){"a"}, 1, &writer, NULL), NH_OK);
    CHECK_EQ_INT(nh_table_row(writer, (const char *[]){"1"}), NH_OK);
    CHECK_EQ_INT(nh_table_close(writer, NULL), NH_OK);
    fclose(stream);
    CHECK_STR(text, "a\n1\n");
    free(text);
}

TEST(reading)
{
    nh_table *table =
        parse("\xEF\xBB\xBF# comment\r\n\r\n t , \"x\" ,y\r\n1, 2 ,\"3\"\r\n\n# more\n-1e3,,nan\ninf,-inf,.5");
    if (!table)
        return;
    CHECK_EQ_INT(nh_table_columns(table), 3);
    CHECK_EQ_INT(nh_table_rows(table), 3);
    CHECK_STR(nh_table_name(table, 0), "t");
    CHECK_STR(nh_table_name(table, 1), "x");
    CHECK_NEAR(nh_table_column(table, 2)[0], 3, 0);
    CHECK_NEAR(nh_table_column(table, 0)[1], -1000, 0);
    CHECK(isnan(nh_table_column(table, 1)[1]) && isnan(nh_table_column(table, 2)[1]));
    CHECK_NEAR(nh_table_column(table, 1)[2], -INFINITY, 0);
    nh_table_free(table);

    table = parse("a,b\n");
    CHECK_EQ_INT(nh_table_rows(table), 0);
    CHECK(nh_table_column(table, 0) == NULL);
    nh_table_free(table);
    table = parse("a\n1.2345678901234567890123456789012345\n\"\"\n");
    CHECK_EQ_INT(nh_table_rows(table), 2);
    CHECK_NEAR(nh_table_column(table, 0)[0], 1.2345678901234567, 0);
    nh_table_free(table);
}

TEST(malformed)
{
    expect("", NH_SYNTAX, 1, 1, "empty");
    expect("\n# only\n", NH_SYNTAX, 3, 1, "empty");
    expect("1,2\n3,4\n", NH_SYNTAX, 1, 1, "names");
    expect("a,b\n1,2\n3,x\n", NH_SYNTAX, 3, 3, "'x' in column b is no number");
    expect("\u03b8,b\n1,0x10\n", NH_SYNTAX, 2, 3, "no number");
    expect("a,b\n1,nan(1)\n", NH_SYNTAX, 2, 3, "no number");
    expect("a,b\n1,1e5e\n", NH_SYNTAX, 2, 3, "no number");
    expect("a,b\n1\n", NH_SYNTAX, 2, 2, "after 1 of 2 numbers");
    expect("a,b\n1,2\n3", NH_SYNTAX, 3, 2, "cut off");
    expect("a,b\n1,2,3\n", NH_SYNTAX, 2, 4, "more than the 2 numbers");
    expect("a,\"b\n1,2\n", NH_SYNTAX, 1, 3, "not closed");
    expect("a,\"b\"c\n1,2\n", NH_SYNTAX, 1, 6, "follow the quote");
    expect_failure("a,b\n1,\0\n", 8, NH_SYNTAX, 2, 3, "zero byte");
    expect_failure("a\0,b\n1,2\n", 9, NH_SYNTAX, 1, 1, "zero byte");

    nh_error error = {0};
    nh_table *table = NULL;
    CHECK_EQ_INT(nh_table_read("/nonexistent.csv", &table, &error), NH_FILE);
    CHECK(strstr(error.message, "/nonexistent.csv") != NULL);
    CHECK_EQ_INT(nh_table_read("/", &table, &error), NH_FILE);
}

TEST(limits)
{
    size_t size = (size_t)NH_TABLE_COLUMNS_MAX * 2 + 10;
    char *text = malloc(size);
    if (!CHECK(text != NULL))
        return;
    for (size_t i = 0; i < size; i++)
        text[i] = i % 2 ? ',' : 'a';
    nh_table *table = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_table_parse(text, size, "test", &table, &error), NH_LIMIT);
    memset(text, 'a', size);
    CHECK_EQ_INT(nh_table_parse(text, size, "test", &table, &error), NH_LIMIT);
    free(text);
}

/* Any bytes at all are read or refused. */
TEST(noise)
{
    static const char letters[] = "0123456789.,,,\"\"\n\n\r -+eEnai#x\0\xff\t";
    uint64_t state = 1;
    int good = 0, odd = 0; /* odd: a status without a table, or a failure without a place */
    for (int round = 0; round < 20000; round++) {
        char text[64] = "a,b\n";
        size_t length = 4;
        for (size_t i = 0; i < (size_t)(round % 50); i++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            text[length++] = letters[(state >> 33) % (sizeof letters - 1)];
        }
        char *exact = malloc(length); /* so that reading beyond the end is found */
        memcpy(exact, text, length);
        nh_table *table = NULL;
        nh_error error = {0};
        nh_status status =
            nh_table_parse(exact + (round % 3 ? 0 : 4), length - (round % 3 ? 0 : 4), "n", &table, &error);
        odd += (status == NH_OK) != (table != NULL) || (status != NH_OK && (error.line < 1 || error.column < 1));
        good += status == NH_OK;
        nh_table_free(table);
        free(exact);
    }
    CHECK(good > 100 && good < 20000);
    CHECK_EQ_INT(odd, 0);
}

TEST_MAIN(RUN(round_trip), RUN(cells), RUN(rows_are_readable_at_once), RUN(write_errors), RUN(full_disk),
          RUN(full_disk_behind_a_stream), RUN(stream_in_memory), RUN(reading), RUN(malformed), RUN(limits), RUN(noise))
