/* SPDX-License-Identifier: MIT */
/* What methods claim, measured: every registered method on every model of the catalogue that it fits, in quad
 * precision. Claims are held from both sides: an order that is too high, or a method that is symmetric without saying
 * so, is as wrong as the contrary. `test_method_claims table` prints all measurements. */
#include "test.h"

#include "base/resource.h"
#include "model/consistent.h"
#include "motion.h"
#include "support.h"
#include "tableau/grid.h"

#include <stdlib.h>

enum { HALVINGS = 2, COARSEST = 8, BACK = 4, MOST_STAGES = 3, MOST_METHODS = 32, NAME = 64 };

/* Round-off of a few dozen steps, and what is certainly none. Measured: defects of symmetric methods are below 2e-31,
 * of the others above 1e-22; orders are off by 0.06 at most. */
static const double slope_tolerance = 0.25, round_off = 1e-28, visible = 1e-24, ulps = 64, visible_ulps = 1e8;

/* ---- Subjects ---- */

/* A model with a start that is nothing special, and where the motion has got to after a while. */
typedef struct subject {
    nh_model *model;
    origin *from;
    nh_quad interval;
    nh_quad *end; /* q, v [2n] */
    double scale; /* 1 + largest |q|, |v| */
} subject;

/* With the catalogue's tiny m a, the sleigh hides what a varying mass does: these are the data of Hilden 4.5. */
static const nh_setting sleigh[] = {{"m", "1"}, {"a", "1"}, {"I", "1"}, {"g", "0.1"}};

static bool leave_special_points(const nh_model *m, origin *o)
{
    uint64_t seed = 5;
    o->start.t = (nh_quad)0.3;
    for (int i = 0; i < m->n; i++) {
        o->q[i] += (nh_quad)(0.02 + 0.1 * next_uniform(&seed));
        o->v[i] += (nh_quad)(0.02 + 0.1 * next_uniform(&seed));
    }
    return nh_project(m, o->start.parameter, o->start.t, o->q, o->v, NULL) == NH_OK;
}

/* By methods of order 16, which none of the list comes near to. */
static bool find_end(subject *s)
{
    motion o;
    nh_start from = s->from->start;
    from.h = s->interval / COARSEST;
    if (motion_open(&o, s->model, s->model->holonomic ? "lobatto-ab(s=9)" : "gauss(s=8)", NH_IN_QUAD, NULL, NULL))
        return false;
    const bool arrived = motion_run(&o, &from, COARSEST);
    for (int i = 0; i < o.n; i++) {
        s->end[i] = motion_q(&o, i);
        s->end[o.n + i] = motion_v(&o, i);
        s->scale = fmax(s->scale, 1 + fabs((double)s->end[i]));
        s->scale = fmax(s->scale, 1 + fabs((double)s->end[o.n + i]));
    }
    motion_close(&o);
    return arrived;
}

static void subject_free(subject *s)
{
    nh_model_free(s->model);
    free(s->from);
    free(s->end);
}

/* False, and nothing to free, where there is nothing to measure: DAEs and Hamiltonian systems have other methods. */
static bool subject_new(const char *name, subject *s)
{
    nh_model_options options = {0};
    if (!strcmp(name, "sleigh"))
        options = (nh_model_options){.set = sleigh, .set_count = 4};
    *s = (subject){.scale = 1};
    if (!CHECK_EQ_INT(nh_model_load(name, &options, &s->model, NULL), NH_OK))
        return false;
    const nh_model *m = s->model;
    const bool wanted = m->kind == NH_LAGRANGIAN;
    s->from = wanted ? origin_of(m) : NULL;
    s->end = calloc((size_t)(2 * m->n), sizeof *s->end);
    if (s->from)
        s->interval = 2 * s->from->start.h;
    if (wanted && CHECK(s->from && s->end && s->interval > 0 && leave_special_points(m, s->from) && find_end(s)))
        return true;
    if (wanted)
        printf("    %s: no start, or no end\n", name);
    subject_free(s);
    return false;
}

/* ---- Measuring ---- */

typedef struct measured {
    bool arrived;
    double error, coarsest; /* with the smallest step, and with the largest */
    double order[HALVINGS]; /* slopes of the error of q and v */
    double defect;          /* after some steps with h, and as many with -h */
    double reversed;        /* after some steps, v -> -v, and as many again; NAN where the system does not allow it */
    double violation;       /* largest constraint after any step, in units of round-off */
    double at_end;          /* the same after the last one, evaluated apart from the kernel */
    double at_stages;       /* of the first step */
} measured;

static double larger(double a, nh_quad b)
{
    const double size = fabs((double)b);
    return size > a || isnan(size) ? size : a;
}

/* Distance of the state from q and sign v. */
static double distance(const motion *o, const nh_quad *q, const nh_quad *v, int sign)
{
    double most = 0;
    for (int i = 0; i < o->n; i++) {
        most = larger(most, motion_q(o, i) - q[i]);
        most = larger(most, motion_v(o, i) - sign * v[i]);
    }
    return most;
}

static double in_ulps(const subject *s, double violation)
{
    return violation / ((double)NH_QUAD_EPSILON * s->scale * s->scale);
}

static double violation_at(const subject *s, nh_quad t, const nh_quad *q, const nh_quad *v)
{
    nh_violation violation;
    if (nh_violation_at(s->model, s->from->start.parameter, t, q, v, &violation, NULL) != NH_OK)
        return NAN;
    return in_ulps(s, fmax(fmax(violation.holonomic.by, violation.velocity.by), violation.hidden.by));
}

/* A start where the motion has got to. The caller frees it. */
static origin *origin_at(const subject *s, const motion *o)
{
    origin *here = origin_of(s->model);
    if (!here)
        return NULL;
    here->start.h = motion_at(o, 0, NH_AT_STEP);
    here->start.t = motion_at(o, 0, NH_AT_START) + motion_at(o, 0, NH_AT_COUNT) * here->start.h;
    for (int i = 0; i < o->n; i++) {
        here->q[i] = motion_q(o, i);
        here->v[i] = motion_v(o, i);
    }
    return here;
}

static void measure_order(const subject *s, motion *o, measured *out)
{
    double before = 0;
    for (int k = 0; k <= HALVINGS; k++) {
        const int steps = COARSEST << k;
        nh_start from = s->from->start;
        from.h = s->interval / steps;
        out->arrived = motion_run(o, &from, steps) && out->arrived;
        out->error = distance(o, s->end, s->end + o->n, 1);
        if (k == 0)
            out->coarsest = out->error;
        else
            out->order[k - 1] = log2(before / out->error);
        before = out->error;
        out->violation = fmax(out->violation, in_ulps(s, (double)motion_at(o, 0, NH_AT_CONSTRAINT_MAX)));
    }
    const origin *end = origin_at(s, o);
    out->at_end = end ? violation_at(s, end->start.t, end->q, end->v) : NAN;
    free((void *)end);
}

static void measure_way_back(const subject *s, motion *o, measured *out)
{
    nh_start from = s->from->start;
    from.h = s->interval / COARSEST;
    out->arrived = motion_run(o, &from, BACK) && out->arrived;
    origin *there = origin_at(s, o);
    if (!there) {
        out->arrived = false;
        return;
    }
    there->start.h = -from.h;
    out->arrived = motion_run(o, &there->start, BACK) && out->arrived;
    out->defect = distance(o, from.q, from.v, 1);
    out->reversed = NAN;
    if (nh_stepper_classification(o->stepper)->reversal.reversible.answer == NH_YES) {
        for (int i = 0; i < o->n; i++)
            there->v[i] = -there->v[i];
        there->start.h = from.h;
        out->arrived = motion_run(o, &there->start, BACK) && out->arrived;
        out->reversed = distance(o, from.q, from.v, -1);
    }
    free(there);
}

/* Q_i follow from the V_i that a member keeps. */
static void measure_stages(const subject *s, motion *o, measured *out)
{
    const nh_tableau *position = &nh_stepper_choice(o->stepper)->triple.position;
    nh_start from = s->from->start;
    from.h = s->interval / COARSEST;
    out->arrived = motion_run(o, &from, 1) && out->arrived;
    origin *stage = origin_at(s, o);
    for (int i = 0; stage && i < o->s; i++) {
        for (int k = 0; k < o->n; k++) {
            stage->q[k] = from.q[k];
            for (int j = 0; j < o->s; j++)
                stage->q[k] += from.h * position->A[i * o->s + j] * motion_stage(o, j, k);
            stage->v[k] = motion_stage(o, i, k);
        }
        out->at_stages = fmax(out->at_stages, violation_at(s, from.t + position->c[i] * from.h, stage->q, stage->v));
    }
    free(stage);
}

static measured measure(const subject *s, motion *o, const nh_method_claims *claims)
{
    measured out = {.arrived = true};
    measure_order(s, o, &out);
    measure_way_back(s, o, &out);
    if (claims->constraint_at_stages)
        measure_stages(s, o, &out);
    return out;
}

/* ---- Judging ---- */

enum { NOT_ARRIVED = 1, WRONG_ORDER = 2, WRONG_SYMMETRY = 4, WRONG_REVERSAL = 8, WRONG_CONSTRAINT = 16 };

/* A method that has hardly an error hardly shows a defect, but more than round-off if it is not symmetric. */
static const double told = 1e-20;

static bool is_as_claimed(bool claimed, double value, double small, double large)
{
    return claimed ? value <= small : value >= large;
}

/* What of the claims does not hold, as bits. */
static unsigned broken_claims(const nh_method_claims *claims, bool varying_mass, const measured *is)
{
    const int order = varying_mass ? claims->order_varying_mass : claims->order;
    const bool symmetric = varying_mass ? claims->symmetric_varying_mass : claims->symmetric;
    unsigned broken = is->arrived ? 0 : NOT_ARRIVED;
    for (int k = 0; k < HALVINGS; k++)
        if (!(fabs(is->order[k] - order) <= slope_tolerance))
            broken |= WRONG_ORDER;
    const double seen = is->coarsest < told ? round_off : visible;
    if (!is_as_claimed(symmetric, is->defect, round_off, seen))
        broken |= WRONG_SYMMETRY;
    if (!isnan(is->reversed) && !is_as_claimed(symmetric, is->reversed, round_off, seen))
        broken |= WRONG_REVERSAL;
    if (!is_as_claimed(claims->constraint_at_end, is->violation, ulps, visible_ulps) ||
        !is_as_claimed(claims->constraint_at_end, is->at_end, ulps, visible_ulps))
        broken |= WRONG_CONSTRAINT;
    if (claims->constraint_at_stages && !(is->at_stages <= ulps))
        broken |= WRONG_CONSTRAINT;
    return broken;
}

/* Motions that a method gets right without an error, whatever its order is: no error, no defect, no violation. */
typedef struct exact_motion {
    const char *model, *why;
    const char *but_not_by[4];
} exact_motion;

static const exact_motion exact_motions[] = {
    {"heisenberg", "no force, and a reaction that vanishes: straight lines at constant speed", {NULL}},
    {"appell",
     "constant acceleration along a straight line: quadratic in time, so that two stages, or one at the middle, do",
     {"lobatto-abd(s=2)", "radau-ia(s=1)", "euler-1", "euler-2"}},
};

static bool is_exact(const char *model, const char *method)
{
    bool exact = false;
    for (size_t i = 0; i < sizeof exact_motions / sizeof *exact_motions; i++)
        if (!strcmp(exact_motions[i].model, model)) {
            exact = true;
            for (int k = 0; k < 4 && exact_motions[i].but_not_by[k]; k++)
                exact = exact && strcmp(exact_motions[i].but_not_by[k], method) != 0;
        }
    return exact;
}

/* Motions where a method is symmetric that else is not. */
static bool is_quadrature(const char *model, const char *method)
{
    /* uniform rotations, and positions that follow from them: sums over a sequence are the same from both ends */
    return !strcmp(model, "disk") && !strncmp(method, "extrapolation", 13);
}

static unsigned not_exact(const measured *is)
{
    unsigned broken = is->arrived ? 0 : NOT_ARRIVED;
    if (!(is->error <= round_off))
        broken |= WRONG_ORDER;
    if (!(is->defect <= round_off))
        broken |= WRONG_SYMMETRY;
    if (!(is->violation <= ulps && is->at_end <= ulps))
        broken |= WRONG_CONSTRAINT;
    return broken;
}

/* ---- Every method on every model ---- */

static bool print_all;

static void print_heading(void)
{
    puts("model                    method               order claimed, measured   error    back     reversed "
         "ulps of k: steps, end, stages");
}

static void print_row(const char *model, const char *method, int claimed, const measured *is, unsigned broken)
{
    printf("%-24s %-20s %d  %6.2f %6.2f  %8.1e %8.1e %8.1e  %8.1e %8.1e %8.1e%s%s%s%s%s\n", model, method, claimed,
           is->order[0], is->order[1], is->error, is->defect, is->reversed, is->violation, is->at_end, is->at_stages,
           broken & NOT_ARRIVED ? " NOT ARRIVED" : "", broken & WRONG_ORDER ? " ORDER" : "",
           broken & WRONG_SYMMETRY ? " SYMMETRY" : "", broken & WRONG_REVERSAL ? " REVERSAL" : "",
           broken & WRONG_CONSTRAINT ? " CONSTRAINT" : "");
}

/* A method with so many stages, and with every word that an option of it may have. */
static int list_words(const nh_method *method, int s, char (*spec)[NAME])
{
    int count = 0;
    snprintf(spec[count++], NAME, "%s(s=%d)", method->name, s);
    for (int k = 1; k < method->options; k++)
        for (int word = 0; word < method->option[k].words_count; word++)
            if (word != (int)method->option[k].initial)
                snprintf(spec[count++], NAME, "%s(s=%d, %s=%s)", method->name, s, method->option[k].name,
                         method->option[k].words[word]);
    return count;
}

/* The registry, with the smallest numbers of stages. Coefficients from a file are nobody's claim. */
static int list_methods(char (*spec)[NAME])
{
    const nh_method *method;
    int count = 0;
    for (int i = 0; (method = nh_method_get(i)); i++) {
        const nh_option *option = method->options ? &method->option[0] : NULL;
        const bool has_stages = option && !strcmp(option->name, "s");
        if (option && !has_stages)
            continue;
        const int least = has_stages ? (int)option->least : 1, most = has_stages ? MOST_STAGES : 1;
        for (int s = least; s <= most && CHECK(count + 1 < MOST_METHODS); s++)
            if (has_stages)
                count += list_words(method, s, spec + count);
            else
                snprintf(spec[count++], NAME, "%s", method->name);
    }
    return count;
}

/* The constraint in double precision, over steps of the size that the model has chosen. */
static void check_in_double(const subject *s, const char *model, const char *method)
{
    motion o;
    nh_start from = s->from->start;
    from.h = s->interval / COARSEST;
    if (!CHECK_EQ_INT(motion_open(&o, s->model, method, NH_ON_TAPE, NULL, NULL), NH_OK))
        return;
    const bool arrived = motion_run(&o, &from, 10 * COARSEST);
    const double violation = (double)motion_at(&o, 0, NH_AT_CONSTRAINT_MAX);
    const bool at_end = nh_stepper_choice(o.stepper)->claims.constraint_at_end;
    if (!CHECK(arrived && (!at_end || violation <= ulps * 0x1p-52 * s->scale * s->scale)))
        printf("    %s, %s in double: %s, constraint %.1e\n", model, method, arrived ? "arrived" : "failed", violation);
    motion_close(&o);
}

/* Whether the method fits. */
static bool check_method(const subject *s, const char *model, const char *method)
{
    motion o;
    nh_error error;
    const nh_status status = motion_open(&o, s->model, method, NH_IN_QUAD, NULL, &error);
    if (status != NH_OK) {
        if (!CHECK_EQ_INT(status, NH_USAGE))
            printf("    %s, %s: %s\n", model, method, error.message);
        return false;
    }
    nh_method_claims claims = nh_stepper_choice(o.stepper)->claims;
    claims.symmetric = claims.symmetric || is_quadrature(model, method);
    const bool varying = !nh_stepper_classification(o.stepper)->traits.mass_constant;
    const measured is = measure(s, &o, &claims);
    const unsigned broken = is_exact(model, method) ? not_exact(&is) : broken_claims(&claims, varying, &is);
    if (!CHECK_EQ_INT(broken, 0) || print_all)
        print_row(model, method, varying ? claims.order_varying_mass : claims.order, &is, broken);
    motion_close(&o);
    check_in_double(s, model, method);
    return true;
}

TEST(every_method_on_every_model)
{
    char method[MOST_METHODS][NAME];
    const int methods = list_methods(method);
    int models, subjects = 0;
    const nh_resource *model = nh_resource_models(&models);
    if (print_all)
        print_heading();
    for (int i = 0; i < models; i++) {
        subject s;
        if (!subject_new(model[i].name, &s))
            continue;
        int fitting = 0;
        for (int k = 0; k < methods; k++)
            fitting += check_method(&s, model[i].name, method[k]);
        /* holonomic constraints are for Lobatto IIIA-B alone */
        CHECK(fitting >= (s.model->holonomic ? 2 : 20));
        subjects++;
        subject_free(&s);
    }
    CHECK(subjects >= 44);
}

/* ---- What must fail ---- */

static const char triple_path[] = "claims-triple.txt";

/* Lobatto IIIA-B with three stages, and what can be done to it. */
static bool write_triple(const char *a22, const char *ahat12, const char *atilde12)
{
    FILE *file = fopen(triple_path, "w");
    if (!file)
        return false;
    fprintf(file,
            "stages 3\nc 0 1/2 1\nb 1/6 2/3 1/6\n"
            "A 0 0 0\n 5/24 %s -1/24\n 1/6 2/3 1/6\n"
            "Ahat   1/6 %s 0\n 1/6 1/3 0\n 1/6 5/6 0\n"
            "Atilde 1/6 %s 0\n 1/6 1/3 0\n 1/6 5/6 0\n",
            a22, ahat12, atilde12);
    return fclose(file) == 0;
}

/* What of the claims of `as` fails for a method in a setting. */
static unsigned judge(const char *model, const char *method, nh_stepper_setting setting, const nh_method_claims *as)
{
    subject s;
    motion o;
    unsigned broken = ~0u;
    if (!subject_new(model, &s))
        return broken;
    if (CHECK_EQ_INT(motion_open(&o, s.model, method, setting, NULL, NULL), NH_OK)) {
        const measured is = measure(&s, &o, as);
        broken = broken_claims(as, !nh_stepper_classification(o.stepper)->traits.mass_constant, &is);
        if (print_all)
            print_row(model, method, as->order, &is, broken);
        motion_close(&o);
    }
    subject_free(&s);
    return broken;
}

static unsigned judge_triple(const char *a22, const char *ahat12, const char *atilde12)
{
    const nh_method_claims claims = nh_method_find("lobatto-ab")->claims(3);
    char method[NAME];
    snprintf(method, sizeof method, "spark(file=\"%s\")", triple_path);
    const unsigned broken =
        CHECK(write_triple(a22, ahat12, atilde12)) ? judge("robot-turning", method, NH_IN_QUAD, &claims) : ~0u;
    remove(triple_path);
    return broken;
}

TEST(broken_coefficients_are_noticed)
{
    CHECK_EQ_INT(judge_triple("1/3", "-1/6", "-1/6"), 0);
    const unsigned all = WRONG_ORDER | WRONG_SYMMETRY | WRONG_REVERSAL;
    CHECK_EQ_INT(judge_triple("0.3334", "-1/6", "-1/6"), all);  /* positions */
    CHECK_EQ_INT(judge_triple("1/3", "-1/6.001", "-1/6"), all); /* forces */
    CHECK_EQ_INT(judge_triple("1/3", "-1/6", "-1/6.001"), all); /* reactions */
}

TEST(a_wrong_sign_is_noticed)
{
    const unsigned all = WRONG_ORDER | WRONG_SYMMETRY | WRONG_REVERSAL;
    CHECK_EQ_INT(judge_triple("1/3", "1/6", "-1/6"), all);
    CHECK_EQ_INT(judge_triple("1/3", "-1/6", "1/6"), all);
}

/* Equations that are solved to double precision only: nothing of what is claimed holds to the round-off of a quad,
 * and an order as high as this one ends in round-off. */
TEST(a_loose_solve_is_noticed)
{
    const nh_method_claims claims = nh_method_find("gauss")->claims(5);
    CHECK_EQ_INT(judge("robot-turning", "gauss(s=5)", NH_IN_QUAD, &claims), 0);
    CHECK_EQ_INT(judge("robot-turning", "gauss(s=5)", NH_ON_TAPE, &claims),
                 WRONG_ORDER | WRONG_SYMMETRY | WRONG_REVERSAL | WRONG_CONSTRAINT);
}

/* The claims of one method are not true of another: each of them can be false. */
TEST(a_wrong_claim_is_noticed)
{
    const nh_method_claims gauss = nh_method_find("gauss")->claims(1), euler = nh_method_find("euler-1")->claims(1);
    CHECK_EQ_INT(judge("cvt", "gauss(s=1)", NH_IN_QUAD, &gauss), 0);
    CHECK_EQ_INT(judge("cvt", "gauss(s=1)", NH_IN_QUAD, &euler), WRONG_ORDER | WRONG_SYMMETRY | WRONG_REVERSAL);
    CHECK_EQ_INT(judge("cvt", "euler-1", NH_IN_QUAD, &gauss), WRONG_ORDER | WRONG_SYMMETRY | WRONG_REVERSAL);
    CHECK_EQ_INT(judge("cvt", "gauss-standard(s=1)", NH_IN_QUAD, &gauss), WRONG_CONSTRAINT);
}

int main(int argc, char **argv)
{
    print_all = argc == 2 && !strcmp(argv[1], "table");
    argc = print_all ? 1 : argc;
    if (!CHECK(NH_QUAD_EPSILON < 1e-30)) /* the limits above are for 113 bits */
        return test_end();
    RUN(every_method_on_every_model);
    RUN(broken_coefficients_are_noticed);
    RUN(a_wrong_sign_is_noticed);
    RUN(a_loose_solve_is_noticed);
    RUN(a_wrong_claim_is_noticed);
    return test_end();
}
