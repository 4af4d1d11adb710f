/* SPDX-License-Identifier: MIT */
#include "count.h"

#include "trajectory.h"

#include <stdio.h>

/* h is 1/20 for mp, 1/5 else: the usual work of an iteration. */
static const struct {
    const char *name;
    subject of;
    const char *method;
    nh_stepper_setting setting;
} cases[] = {
    {"mp", {"mp-particles", {{"j", 6}}, 1, true}, "mp", NH_COMPILED},
    {"mp, in lanes", {"mp-particles", {{"j", 6}}, 1, true}, "mp", NH_COMPILED_LANES},
    {"mp, tape", {"mp-particles", {{"j", 6}}, 1, true}, "mp", NH_ON_TAPE},
    {"gauss(s=1)", {"mp-particles", {{"j", 6}}, 1, true}, "gauss(s=1)", NH_COMPILED},
    {"gauss(s=4), stages in lanes", {"mp-particles", {{"j", 6}}, 1, true}, "gauss(s=4)", NH_COMPILED_STAGES},
    {"gauss(s=4), in lanes", {"mp-particles", {{"j", 6}}, 1, true}, "gauss(s=4)", NH_COMPILED_LANES},
    {"gauss(s=4), tape", {"mp-particles", {{"j", 6}}, 1, true}, "gauss(s=4)", NH_ON_TAPE},
    {"gauss(s=8), stages in lanes", {"mp-particles", {{"j", 6}}, 1, true}, "gauss(s=8)", NH_COMPILED_STAGES},
    {"lobatto-ab(s=3), stages in lanes", {"mp-particles", {{"j", 6}}, 1, true}, "lobatto-ab(s=3)", NH_COMPILED_STAGES},
    {"sleigh, gauss(s=4)", {.model = "sleigh"}, "gauss(s=4)", NH_COMPILED_STAGES},
    {"skate-in-bowl, lobatto-ab(s=3)", {.model = "skate-in-bowl"}, "lobatto-ab(s=3)", NH_COMPILED_STAGES},
    {"disk, gauss(s=2)", {.model = "disk"}, "gauss(s=2)", NH_COMPILED},
};
#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#ifdef NH_HAVE_SLEEF
#define FUNCTIONS ", SLEEF"
#else
#define FUNCTIONS ""
#endif

enum { CASES = sizeof cases / sizeof *cases, FEW = 10, MANY = 60 };

__attribute__((noinline)) void count_mark(void)
{
    __asm__ volatile("" : : : "memory");
}

static void run(trajectory *t, double h, long steps)
{
    trajectory_restart(t, h * (double)steps, steps);
    count_mark();
    trajectory_run(t, 0);
    count_mark();
}

/* What the counts depend on. */
static void print_compilers(const trajectory *t)
{
    const char *native = nh_native_symbol(nh_stepper_native(t->stepper), "nh_compiled_by");
    printf("# library: %s%s\n# native code: %s, %s\n", COMPILER, FUNCTIONS, native, nh_native_target(false));
}

int count_instructions(void)
{
    for (int k = 0; k < CASES; k++) {
        trajectory t;
        const double h = cases[k].method[0] == 'm' ? 0.05 : 0.2;
        trajectory_open(&t, &cases[k].of, cases[k].method, cases[k].setting, h, 1);
        if (k == 0)
            print_compilers(&t);
        run(&t, h, FEW);
        run(&t, h, MANY);
        printf("%d %s\n", MANY - FEW, cases[k].name);
        trajectory_close(&t);
    }
    return 0;
}
