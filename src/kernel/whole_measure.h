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

/* Entries of a column of the matrix, which is by rows if it is dense. */
typedef struct column {
    int count, stride;
    const int *row; /* NULL: all */
    NUMBER *entry;
} column;

static column column_of(const room *r, int j)
{
    const nh_whole_pattern *p = r->a.w->pattern;
    if (!p)
        return (column){r->size, r->size, NULL, r->matrix + j};
    const int first = p->entries.start[j];
    return (column){p->entries.start[j + 1] - first, 1, p->entries.row + first, r->matrix + first};
}

static int row_at(const column *c, int e)
{
    return c->row ? c->row[e] : e;
}

static NUMBER *entry_at(const column *c, int e)
{
    return c->entry + (ptrdiff_t)e * c->stride;
}

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

/* The root of the entry in that row; 1 if it is zero. */
static NUMBER root_of_mass(const room *r, int unknown, int row)
{
    const column c = column_of(r, unknown);
    NUMBER mass = 0;
    for (int e = 0; e < c.count; e++)
        if (row_at(&c, e) == row)
            mass = ABS(*entry_at(&c, e));
    return mass > 0 ? SQRT(mass) : 1;
}

static void weigh_unknowns(const room *r)
{
    const int size = r->size, n = r->a.n, rows = r->a.w->mp ? n : (r->a.s + 1) * n;
    NUMBER *root = r->unit; /* of the mass of a momentum's row */
    for (int j = 0; j < size; j++) {
        const int row = momentum_row(r, j);
        if (row >= 0)
            root[row] = r->weight[j] = root_of_mass(r, j, row);
    }
    for (int j = 0; j < size; j++)
        if (momentum_row(r, j) < 0) {
            const column c = column_of(r, j);
            r->weight[j] = 0;
            for (int e = 0; e < c.count; e++)
                if (row_at(&c, e) < rows)
                    r->weight[j] = larger(ABS(*entry_at(&c, e)) / root[row_at(&c, e)], r->weight[j]);
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

/* What a row counts that has this entry for an unknown. */
static NUMBER term_of(const room *r, int row, int unknown, NUMBER entry)
{
    const NUMBER *position = r->a.x + NH_AT_POSITION;
    NUMBER term = entry * ABS(r->unknowns[unknown]);
    if (is_of_surface(r, row) && momentum_row(r, unknown) >= 0)
        term += entry * ABS(position[momentum_row(r, unknown) % r->a.n] / r->a.x[NH_AT_STEP]);
    return term;
}

/* Of rows from `top` on, by the unknowns from `first` on. */
static void find_units(const room *r, int top, int first, NUMBER speed, NUMBER *unit)
{
    NUMBER *slope = r->trial_row;
    memset(slope, 0, (size_t)r->size * sizeof *slope);
    memset(unit, 0, (size_t)(r->size - top) * sizeof *unit);
    for (int j = first; j < r->size; j++) {
        const column c = column_of(r, j);
        for (int e = 0; e < c.count; e++) {
            const int i = row_at(&c, e);
            const NUMBER entry = ABS(*entry_at(&c, e));
            if (i < top)
                continue;
            unit[i - top] += term_of(r, i, j, entry);
            if (r->weight[j] > 0)
                slope[i] = larger(entry / r->weight[j], slope[i]);
        }
    }
    for (int i = top; i < r->size; i++) {
        const NUMBER most = larger(unit[i - top], slope[i] * speed);
        unit[i - top] = most > 0 ? most : 1;
    }
}

/* Weights and units where the matrix is that of the unknowns. */
static void weigh(const room *r)
{
    const int n = r->a.n, size = r->size;
    weigh_unknowns(r);
    find_units(r, 0, 0, largest_of(r, r->unknowns, false), r->unit);
    NUMBER ends = 0; /* the speed at both of them */
    for (int j = size - n; j < size; j++) {
        const NUMBER v0 = r->a.x[NH_AT_VELOCITY + j - (size - n)];
        ends = larger(r->weight[j] * larger(ABS(r->unknowns[j]), ABS(v0)), ends);
    }
    /* A body at rest has velocities of round-off, of which 2^-20 would be asked (end_is_resolved). */
    ends = larger((NUMBER)0x1p30 * EPSILON * largest_of(r, r->unknowns, true), ends);
    find_units(r, size - end_rows(r), size - n, ends, r->end_unit);
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
