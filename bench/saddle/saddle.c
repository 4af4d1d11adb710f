/* SPDX-License-Identifier: MIT */
#include "saddle/saddle.h"

#include "base/status.h"
#include "kernel/functions.h"
#include "kernel/traits.h"
#include "model/initial.h"

#include <stdlib.h>

/* Works for every system here; its stages and steps are not used. */
#define METHOD "lobatto-ab(s=2)"

bool saddle_has_lanes(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return true;
#endif
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Room for one piece, with numbers in all lanes; zeros. */
static double *take(const saddle *s, int count)
{
    return calloc((size_t)count * (size_t)s->lanes + 1, sizeof(double));
}

bool saddle_has_gram(const saddle *s)
{
    return !s->of->coupled;
}

static void list_rows(saddle *s, const nh_sparse_rows *M)
{
    for (int i = 0; i < s->n; i++)
        for (int e = M->start[i]; e < M->start[i + 1]; e++) {
            s->mass_row[e] = i;
            s->mass_column[e] = M->column[e];
        }
}

static void list_blocks(saddle *s)
{
    const nh_sparsity *of = s->of;
    for (int b = 0; b < of->blocks; b++) {
        const int size = of->block[b + 1] - of->block[b], *member = of->member + of->block[b];
        for (int e = 0; e < size * size; e++) {
            s->mass_row[of->inverse_at[b] + e] = member[e / size];
            s->mass_column[of->inverse_at[b] + e] = member[e % size];
        }
    }
}

static bool list_mass(saddle *s)
{
    const nh_coupled *coupled = s->of->coupled;
    s->masses = coupled ? coupled->M.start[s->n] : s->of->inverse_size;
    s->mass_row = calloc((size_t)s->masses + 1, sizeof *s->mass_row);
    s->mass_column = calloc((size_t)s->masses + 1, sizeof *s->mass_column);
    if (!s->mass_row || !s->mass_column)
        return false;
    if (coupled)
        list_rows(s, &coupled->M);
    else
        list_blocks(s);
    return true;
}

static bool take_all(saddle *s)
{
    const nh_sparsity *of = s->of;
    const int block = of->largest_block;
    s->mass = take(s, s->masses);
    s->inverse = take(s, of->inverse_size);
    s->rows = take(s, of->D.start[s->ml]);
    s->columns = take(s, of->C.start[s->ml]);
    s->lift = take(s, of->lift_size);
    s->gram = take(s, of->factors.LU.start[of->factors.count]);
    s->diagonal = take(s, of->factors.count);
    s->work = take(s, larger(2 * (s->n + s->ml), 2 * block * block));
    return s->mass && s->inverse && s->rows && s->columns && s->lift && s->gram && s->diagonal && s->work;
}

void saddle_close(saddle *s)
{
    nh_stepper_free(s->stepper);
    double *all[] = {s->mass, s->inverse, s->rows, s->columns, s->lift, s->gram, s->diagonal, s->work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(s->mass_row);
    free(s->mass_column);
    *s = (saddle){0};
}

/* A member that starts as the model says, in double precision; the caller frees it. */
static double *start_of(const saddle *s, const nh_model *m, nh_error *error)
{
    nh_quad *number = calloc((size_t)(m->parameters + 2 * m->n) + 1, sizeof *number);
    double *member = calloc((size_t)nh_stepper_size(s->stepper), sizeof *member);
    nh_quad *q = number ? number + m->parameters : NULL, *v = q ? q + m->n : NULL;
    nh_status status =
        number && member ? nh_model_initial(m, number, q, v, NULL, error) : nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK)
        nh_stepper_start(s->stepper,
                         &(nh_start){.parameter = number, .parameters = m->parameters, .h = 1, .q = q, .v = v}, member);
    free(number);
    if (status == NH_OK)
        return member;
    free(member);
    return NULL;
}

/* ---- Numbers ---- */

typedef struct place {
    const saddle *s;
    const double *constants, *x[NH_SPACES];
    double *slot; /* what functions give */
} place;

/* Adds what a derived function gives to its entries, in all lanes. */
static void add(const place *at, int function, const nh_slots *slots, double *to)
{
    const int lanes = at->s->lanes;
    at->s->kernel->call(at->s->kernel->user, function, at->constants, (const void *const *)at->x, at->slot);
    for (int i = 0; i < slots->count; i++)
        for (int lane = 0; slots->place[i] >= 0 && lane < lanes; lane++)
            to[slots->place[i] * lanes + lane] += at->slot[i];
}

/* Of a diagonal mass there is the product with a vector. */
static void take_mass(place *at, const double *ones, const nh_slots *diagonal)
{
    const saddle *s = at->s;
    const bool vector = s->kernel->traits & NH_MASS_DIAGONAL;
    at->x[NH_D_V] = ones;
    add(at, NH_F_MASS, vector ? diagonal : &s->of->mass, s->mass);
}

static void take_constraints(const place *at)
{
    const saddle *s = at->s;
    if (s->kernel->m > 0)
        add(at, NH_F_ROWS, &s->of->rows, s->rows);
    if (s->kernel->l > 0)
        add(at, NH_F_NORMALS, &s->of->normals, s->rows);
    if (s->kernel->traits & NH_NONIDEAL)
        add(at, NH_F_COLUMNS, &s->of->columns, s->columns);
    else
        for (int e = 0; e < s->of->D.start[s->ml] * s->lanes; e++)
            s->columns[e] = s->rows[e];
}

/* Where the member is. */
static place place_of(const saddle *of, const double *member, const double *t, double *slot)
{
    const int n = of->n, m = of->kernel->m, l = of->kernel->l, s = of->kernel->s;
    place at = {.s = of, .constants = member + NH_AT_CONSTANTS, .slot = slot};
    at.x[NH_TIME] = t;
    at.x[NH_Q] = member + NH_AT_POSITION;
    at.x[NH_V] = member + NH_AT_VELOCITY;
    return at;
}

static bool take_numbers(saddle *s, const double *member)
{
    const nh_sparsity *of = s->of;
    const int slots = larger(larger(of->mass.count, of->rows.count), larger(of->normals.count, of->columns.count));
    double *slot = calloc((size_t)larger(slots, s->n) + 1, sizeof *slot),
           *ones = calloc((size_t)(s->n + s->ml), sizeof *ones);
    int *same = calloc((size_t)s->n, sizeof *same);
    const double t = 0;
    const bool good = slot && ones && same;
    for (int i = 0; good && i < s->n; i++)
        same[i] = i;
    for (int i = 0; good && i < s->n + s->ml; i++)
        ones[i] = 1;
    if (good) {
        place at = place_of(s, member, &t, slot);
        at.x[NH_LAMBDA] = ones; /* those of the start are not known, and 0 may be special */
        take_mass(&at, ones, &(nh_slots){s->n, same});
        take_constraints(&at);
        s->by->invert(s);
    }
    free(slot);
    free(ones);
    free(same);
    return good;
}

nh_status saddle_open(saddle *s, const nh_model *m, int lanes, nh_error *error)
{
    *s = (saddle){.by = lanes == 1 ? &saddle_functions_1 : &saddle_functions_4, .lanes = lanes};
    const nh_stepper_wishes wishes = {.matrices = NH_MATRICES_SPARSE};
    nh_status status = nh_stepper_new_with(m, METHOD, NH_ON_TAPE, &wishes, NULL, &s->stepper, error);
    if (status != NH_OK)
        return status;
    s->kernel = nh_stepper_kernel(s->stepper);
    s->of = s->kernel->sparsity;
    s->n = s->kernel->n;
    s->ml = s->kernel->m + s->kernel->l;
    double *member = start_of(s, m, error);
    if (!member)
        status = error->status;
    else if (!list_mass(s) || !take_all(s) || !take_numbers(s, member))
        status = nh_fail(error, NH_MEMORY, "out of memory");
    free(member);
    if (status != NH_OK)
        saddle_close(s);
    return status;
}

int saddle_nonzeros(const saddle *s)
{
    int mass = 0; /* without the zeros in its blocks */
    for (int e = 0; e < s->masses; e++)
        mass += s->mass[e * s->lanes] != 0;
    return mass + s->of->D.start[s->ml] + s->of->C.start[s->ml];
}
