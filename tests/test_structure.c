/* SPDX-License-Identifier: MIT */
/* Structure that kernels make use of changes no motion. The model here has unit mass, forces without velocities, and
 * two coordinates of four that feel no reaction; its twins have a term more, 0 times something, that takes one of these
 * away. All follow the same equations: in quad, motions agree to thirty digits. */
#include "models.h"

#include "motion.h"

#include <stdio.h>
#include <stdlib.h>

#define ALL_SQUARES "a'^2 + b'^2 + c'^2 + d'^2"

typedef struct twin {
    const char *what, *mass, *row, *force; /* what is added to them */
} twin;

static const twin twins[] = {
    {"as it is", "", "", ""},
    {"force of a velocity", "", "", "force b = zero*b'\n"},
    {"mass not known", " + zero*(" ALL_SQUARES ")", "", ""},
    {"mass not diagonal", " + zero*b'*d'", "", ""},
    {"mass of a position", " + zero*a*(" ALL_SQUARES ")", "", ""},
    {"reactions everywhere", "", " + zero*(b' + c')", ""},
};
enum { TWINS = sizeof twins / sizeof *twins, COUNT = 4, STEPS = 3, LENGTH = 1024 };

static void text_of(const twin *t, bool holonomic, char *out)
{
    const char *constraint = holonomic ? "holonomic a^2 + d^2 - 1/4" : "constraint a' - sin(c)*d'/2 + b/5 + t/7";
    const char *row = !holonomic ? t->row : *t->row ? " + zero*(b + c)" : "";
    snprintf(out, LENGTH,
             "%scoordinates a, b, c, d\n"
             "lagrangian (" ALL_SQUARES "%s)/2 - a^2 - b^2*c^2/2 - cos(c - d) - d^4/4 - b*sin(t)\n"
             "%s%s = 0\n%s"
             "initial a = 0.3, b = -0.4, c = 0.7, d = 0.4, a' = -0.2, b' = 0.5, c' = -0.6, d' = 0.15\n",
             t == twins ? "" : "parameters zero = 0\n", t->mass, constraint, row, t->force);
}

/* Whether the method takes it. */
static bool moves(const twin *t, bool holonomic, const char *method, nh_quad *state)
{
    char text[LENGTH];
    motion o;
    text_of(t, holonomic, text);
    nh_model *m = parse_model(text);
    origin *from = m ? origin_of(m) : NULL;
    const bool fits = from && motion_open(&o, m, method, NH_IN_QUAD, NULL, NULL) == NH_OK;
    if (fits) {
        from->start.h = (nh_quad)3 / 10;
        CHECK(motion_run(&o, &from->start, STEPS));
        for (int i = 0; i < COUNT; i++) {
            state[i] = motion_q(&o, i);
            state[COUNT + i] = motion_v(&o, i);
        }
        motion_close(&o);
    }
    free(from);
    nh_model_free(m);
    return fits;
}

/* How many twins the method takes. */
static int check_method(const char *method, bool holonomic)
{
    nh_quad is[2 * COUNT], want[2 * COUNT];
    int fit = 0;
    if (!CHECK(moves(twins, holonomic, method, want)))
        return 0;
    for (const twin *t = twins + 1; t < twins + TWINS; t++) {
        double apart = 0;
        if (!moves(t, holonomic, method, is))
            continue;
        fit++;
        for (int i = 0; i < 2 * COUNT; i++)
            apart = fmax(apart, fabs((double)(is[i] - want[i])));
        if (!CHECK(apart <= 1e-30))
            printf("    %s, %s: %.1e\n", method, t->what, apart);
    }
    return fit;
}

TEST(twins_move_alike)
{
    static const char *const methods[] = {
        "gauss(s=1)",      "gauss(s=2)",      "gauss(s=5)",         "gauss(s=8)",         "gauss(s=11)",
        "lobatto-ab(s=2)", "lobatto-ab(s=4)", "lobatto-abd(s=2)",   "lobatto-abd(s=3)",   "lobatto-ad(s=3)",
        "lobatto-d(s=2)",  "lobatto-d(s=4)",  "radau-ia(s=1)",      "radau-ia(s=2)",      "radau-ia(s=4)",
        "euler-1",         "euler-2",         "extrapolation(s=1)", "extrapolation(s=6)",
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        CHECK_EQ_INT(check_method(methods[i], false), TWINS - 1);
    CHECK_EQ_INT(check_method("mp", false), 3); /* which needs a constant mass, and forces without velocities */
}

TEST(twins_move_alike_on_a_surface)
{
    CHECK_EQ_INT(check_method("lobatto-ab(s=2)", true), TWINS - 1);
    CHECK_EQ_INT(check_method("lobatto-ab(s=5)", true), TWINS - 1);
}

/* Iterations of 400 steps of a pendulum, with what is added to it. */
static double pendulum_iterations(const char *parameters, const char *force)
{
    char text[LENGTH];
    motion o;
    double iterations = NAN;
    snprintf(text, sizeof text,
             "%scoordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 - z\n%sholonomic x^2 + y^2 + z^2 = 1\n"
             "initial x = 0.8, z = -0.6, y' = 0.8\n",
             parameters, force);
    nh_model *m = parse_model(text);
    origin *from = m ? origin_of(m) : NULL;
    if (from && CHECK_EQ_INT(motion_open(&o, m, "lobatto-ab(s=6)", NH_ON_TAPE, NULL, NULL), NH_OK)) {
        from->start.h = (nh_quad)1 / 20;
        CHECK(motion_run(&o, &from->start, 400));
        iterations = (double)motion_at(&o, 0, NH_AT_ITERATIONS);
        motion_close(&o);
    }
    free(from);
    nh_model_free(m);
    return iterations;
}

/* Nor does it cost more. */
TEST(twins_iterate_alike_on_a_surface)
{
    const double is = pendulum_iterations("", ""),
                 want = pendulum_iterations("parameters zero = 0\n", "force x = zero*x'\n");
    CHECK_NEAR(is / want, 1, 0.1);
}

/* Rows of A that do not add up to c, and weights that do not add up to 1, by the digits that were left out. */
TEST(twins_move_alike_by_a_triple_of_a_user)
{
    FILE *out = fopen("structure-triple.txt", "w");
    if (!CHECK(out != NULL))
        return;
    fputs("stages 3\nc 0 1/2 1\nb 0.166666 0.666666 0.166666\n"
          "A 0.1 0 0\n 5/24 1/4 -1/24\n 1/6 2/3 1/5\nAhat 1/6 -1/6 0\n 1/6 1/3 0\n 1/6 5/6 0\n"
          "Atilde 1/6 -1/6 0\n 1/6 1/3 0\n 1/6 5/6 0\n",
          out);
    fclose(out);
    CHECK_EQ_INT(check_method("spark(file=structure-triple.txt)", false), TWINS - 1);
    remove("structure-triple.txt");
}

TEST_MAIN(RUN(twins_move_alike), RUN(twins_move_alike_on_a_surface), RUN(twins_iterate_alike_on_a_surface),
          RUN(twins_move_alike_by_a_triple_of_a_user))
