/* SPDX-License-Identifier: MIT */
/* What counts as large among the unknowns of a step and the rows of its equations, over NUMBER. Units of coordinates
 * and of constraints are the user's, and one large load must not hide the rest. So a velocity counts by the root of its
 * mass, which makes it the root of an energy; a multiplier by the velocity that it makes; a row by the terms in it, or
 * by the velocity that would mend it against the largest one, whichever is more. Terms grow with the step: so the last
 * rows, (6.1f) or (7.3d), count once more by what is in them of v_1. */

/* Work space: values and tangents at the points and at t_0, vectors of the size of the unknowns, the matrix. */
typedef struct room {
    place a;
    int size;
    NUMBER *unknowns, *trial, *row, *trial_row, *direction, *weight, *unit, *end_unit, *zero, *level, *parameters,
        *matrix;
} room;

/* How many rows say that the end is on the constraints: the last ones. */
static int end_rows(const room *r)
{
    return r->a.k->traits & NH_COLLOCATED ? r->a.l : r->a.m + r->a.l;
}

/* The row in which a velocity is a momentum; -1 for multipliers. Those rows come first. */
static int momentum_row(const room *r, int unknown)
{
    const int n = r->a.n, end = unknown - (r->size - n), stages = r->a.w->mp ? 0 : r->a.s * n;
    return unknown < stages ? unknown : end >= 0 ? stages + end : -1;
}

static NUMBER larger(NUMBER a, NUMBER b)
{
    return a <= b ? b : a; /* a, if one is not a number: it stays */
}

/* The largest of weight times change of the velocities, or of the multipliers of reactions. Extra multipliers are small
 * by nature, and round-off is not small beside them. */
static NUMBER largest_of(const room *r, const NUMBER *change, bool multipliers)
{
    const int extra = r->a.k->traits & NH_STABILISED ? r->a.s * r->a.l : 0, end = r->size - r->a.n - extra;
    NUMBER most = 0;
    for (int j = 0; j < r->size; j++)
        if (multipliers ? momentum_row(r, j) < 0 && j < end : momentum_row(r, j) >= 0)
            most = larger(r->weight[j] * ABS(change[j]), most);
    return most;
}

static void weigh_unknowns(const room *r)
{
    const int size = r->size, n = r->a.n, rows = r->a.w->mp ? n : (r->a.s + 1) * n;
    NUMBER *root = r->unit; /* of the mass of a momentum's row */
    for (int j = 0; j < size; j++) {
        const int row = momentum_row(r, j);
        const NUMBER mass = row < 0 ? 0 : ABS(r->matrix[row * size + j]);
        r->weight[j] = mass > 0 ? SQRT(mass) : 1;
        if (row >= 0)
            root[row] = r->weight[j];
    }
    for (int j = 0; j < size; j++)
        if (momentum_row(r, j) < 0) {
            r->weight[j] = 0;
            for (int i = 0; i < rows; i++)
                r->weight[j] = larger(ABS(r->matrix[i * size + j]) / root[i], r->weight[j]);
        }
}

/* Rows of g. Their round-off is that of positions, which are far from small beside the way of a step. */
static bool is_of_surface(const room *r, int row)
{
    const int n = r->a.n, m = r->a.m, l = r->a.l, s = r->a.s;
    const bool stabilised = r->a.k->traits & NH_STABILISED;
    const int first = (s + 1) * n + (s - 1) * (stabilised ? m + l : m), count = (stabilised ? s : s - 1) * l;
    return l > 0 && row >= first && row < first + count;
}

/* Of row i, by the unknowns from `first` on. */
static NUMBER unit_of(const room *r, int i, int first, NUMBER speed)
{
    const NUMBER *position = r->a.x + NH_AT_POSITION;
    NUMBER terms = 0, slope = 0;
    for (int j = first; j < r->size; j++) {
        const NUMBER entry = ABS(r->matrix[i * r->size + j]);
        terms += entry * ABS(r->unknowns[j]);
        if (is_of_surface(r, i) && momentum_row(r, j) >= 0)
            terms += entry * ABS(position[momentum_row(r, j) % r->a.n] / r->a.x[NH_AT_STEP]);
        if (r->weight[j] > 0)
            slope = larger(entry / r->weight[j], slope);
    }
    const NUMBER unit = larger(terms, slope * speed);
    return unit > 0 ? unit : 1;
}

/* Weights and units where the matrix is that of the unknowns. */
static void weigh(const room *r)
{
    const int n = r->a.n, size = r->size, end = size - end_rows(r);
    weigh_unknowns(r);
    const NUMBER speed = largest_of(r, r->unknowns, false);
    for (int i = 0; i < size; i++)
        r->unit[i] = unit_of(r, i, 0, speed);
    NUMBER ends = 0; /* the speed at both of them */
    for (int j = size - n; j < size; j++) {
        const NUMBER v0 = r->a.x[NH_AT_VELOCITY + j - (size - n)];
        ends = larger(r->weight[j] * larger(ABS(r->unknowns[j]), ABS(v0)), ends);
    }
    for (int i = end; i < size; i++)
        r->end_unit[i - end] = unit_of(r, i, size - n, ends);
}

static NUMBER largest_in(int count, const NUMBER *row, const NUMBER *unit)
{
    NUMBER most = 0;
    for (int i = 0; i < count; i++) {
        const NUMBER size = ABS(row[i]) / unit[i];
        most = size <= most ? most : size; /* what is not a number stays */
    }
    return most;
}
static NUMBER largest_row(const room *r, const NUMBER *row)
{
    return largest_in(r->size, row, r->unit);
}
