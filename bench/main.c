/* SPDX-License-Identifier: MIT */
/* nonholo-bench: the program behind `nonholo bench`. */
#include "count.h"
#include "tables.h"

#include <nonholo/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_table *const tables[] = {
    &table_steps,   &table_lanes,  &table_tape,   &table_zeros,    &table_large,  &table_elimination, &table_newton,
    &table_threads, &table_figure, &table_energy, &table_position, &table_growth, &table_features,    &table_functions,
};
enum { TABLES = (int)(sizeof tables / sizeof tables[0]) };

static const bench_table *find(const char *name)
{
    for (int i = 0; i < TABLES; i++)
        if (!strcmp(tables[i]->name, name))
            return tables[i];
    return NULL;
}

static int list(void)
{
    for (int i = 0; i < TABLES; i++)
        printf("%-12s%s\n", tables[i]->name, tables[i]->summary);
    return 0;
}

static int unknown(const char *word)
{
    const char *names[TABLES];
    for (int i = 0; i < TABLES; i++)
        names[i] = tables[i]->name;
    const char *nearest = nh_nearest(word, names, TABLES);
    fprintf(stderr,
            nearest ? "nonholo: unknown benchmark '%s'; did you mean '%s'?\n"
                    : "nonholo: unknown benchmark '%s'; see 'nonholo bench --list'\n",
            word, nearest);
    return 2;
}

/* Names are checked before anything runs. */
static int run(const bench *b, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (!find(names[i]))
            return unknown(names[i]);
    report_begin(b->report, b->report->json);
    for (int i = 0; i < (count ? count : TABLES); i++)
        (count ? find(names[i]) : tables[i])->run(b);
    report_end(b->report);
    return 0;
}

static int command(int argc, char **argv)
{
    report r = {0};
    bench b = {.report = &r, .tool = getenv("NONHOLO")};
    int names = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--quick"))
            b.quick = true;
        else if (!strcmp(argv[i], "--json"))
            r.json = true;
        else if (!strcmp(argv[i], "--list"))
            return list();
        else if (!strcmp(argv[i], "--count"))
            return count_instructions();
        else
            argv[names++] = argv[i];
    return run(&b, names, argv);
}

int main(int argc, char **argv)
{
    const int exit_code = command(argc, argv);
    const bool lost = ferror(stdout) != 0;
    if (fclose(stdout) == 0 && !lost)
        return exit_code;
    fprintf(stderr, "nonholo: cannot write the output\n");
    return 1;
}
