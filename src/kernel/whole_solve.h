/* SPDX-License-Identifier: MIT */
/* Newton's method for all equations of a step, and the derivative of the step, over NUMBER. Whoever includes it has
 * factor_matrix and solve_matrix. */

enum { NEWTON_ITERATIONS = 40, HALVINGS = 12 };

static room room_of(const nh_whole *w, const NUMBER *x)
{
    const nh_kernel *k = w->kernel;
    room r = {.a = {.w = w, .k = k, .n = k->n, .m = k->m, .l = k->l, .s = k->s, .x = x},
              .size = nh_whole_size(k, w->mp)};
    r.a.points = w->mp ? 2 : k->s + (k->traits & NH_MIDPOINT ? 2 : 1);
    r.a.spot_size = spot_size(k);
    r.a.values = w->work;
    r.a.tangents = r.a.values + NH_WHOLE_SPOTS(k) * r.a.spot_size;
    r.unknowns = r.a.tangents + NH_WHOLE_SPOTS(k) * r.a.spot_size;
    r.trial = r.unknowns + r.size;
    r.row = r.trial + r.size;
    r.trial_row = r.row + r.size;
    r.direction = r.trial_row + r.size;
    r.weight = r.direction + r.size;
    r.unit = r.weight + r.size;
    r.level = r.unit + r.size;
    r.end_unit = r.level + k->m + k->l;
    r.parameters = r.end_unit + k->m + k->l;
    r.zero = r.parameters + w->parameters;
    r.a.room = r.zero + k->n + w->parameters;
    r.matrix = r.a.room + k->m + k->l;
    r.a.base = r.unknowns;
    return r;
}

static data data_of(const room *r, const NUMBER *unknowns)
{
    const int n = r->a.n;
    const NUMBER *x = r->a.x;
    return (data){.q = x + NH_AT_POSITION,
                  .p = x + NH_AT_MOMENTUM,
                  .v = x + NH_AT_VELOCITY,
                  .t = x[NH_AT_START] + x[NH_AT_COUNT] * x[NH_AT_STEP],
                  .h = x[NH_AT_STEP],
                  .unknowns = unknowns,
                  .level = r->a.w->level ? r->level : NULL};
}

static void equations(const room *r, const NUMBER *unknowns, NUMBER *row)
{
    const data d = data_of(r, unknowns);
    if (d.level) { /* what the constraints are at t_0 */
        const spot at = spot_of(&r->a, false, r->a.points);
        at.t[0] = d.t;
        memcpy(at.q, d.q, (size_t)r->a.n * sizeof *d.q);
        memcpy(at.v, d.v, (size_t)r->a.n * sizeof *d.v);
        memset(at.lambda, 0, (size_t)(r->a.m + r->a.l) * sizeof *at.lambda);
        evaluate(&r->a, &at);
        memcpy(r->level, at.constraint, (size_t)(r->a.m + r->a.l) * sizeof *r->level);
    }
    rows_of(&r->a, &d, false, row);
}

/* The columns of a group, from the tangent along all of them. */
static void take_columns(const room *r, const int *list, int count)
{
    const data d = {.q = r->zero, .p = r->zero, .v = r->zero, .parameters = r->zero, .unknowns = r->direction};
    for (int k = 0; k < count; k++)
        r->direction[list[k]] = 1;
    rows_of(&r->a, &d, true, r->trial_row);
    for (int k = 0; k < count; k++) {
        const column c = column_of(r, list[k]);
        for (int e = 0; e < c.count; e++)
            *entry_at(&c, e) = r->trial_row[row_at(&c, e)];
        r->direction[list[k]] = 0;
    }
}

/* The matrix of the equations where they were last evaluated; weights and units for it. */
static bool factor(const room *r)
{
    const nh_whole_pattern *p = r->a.w->pattern;
    memset(r->zero, 0, (size_t)(r->a.room - r->zero) * sizeof *r->zero);
    memset(r->direction, 0, (size_t)r->size * sizeof *r->direction);
    if (p) {
        for (int g = 0; g < p->groups.count; g++)
            take_columns(r, p->groups.row + p->groups.start[g], p->groups.start[g + 1] - p->groups.start[g]);
    } else {
        for (int j = 0; j < r->size; j++)
            take_columns(r, &j, 1);
    }
    weigh(r);
    return factor_matrix(r->a.w, r->matrix, r->size);
}

/* Goes along -direction as far as the equations get better. */
static bool go(const room *r, NUMBER size_before)
{
    NUMBER step = 1;
    for (int i = 0; i < HALVINGS; i++, step /= 2) {
        for (int j = 0; j < r->size; j++)
            r->trial[j] = r->unknowns[j] - step * r->direction[j];
        equations(r, r->trial, r->trial_row);
        if (largest_row(r, r->trial_row) < size_before)
            break;
    }
    const NUMBER size = largest_row(r, r->trial_row);
    if (!(size <= size_before))
        return false;
    memcpy(r->unknowns, r->trial, (size_t)r->size * sizeof *r->trial);
    memcpy(r->row, r->trial_row, (size_t)r->size * sizeof *r->row);
    return true;
}

/* Whether the direction has no more than the last half of the digits of the unknowns. */
static bool is_half_done(const room *r)
{
    const NUMBER half_digits = SQRT((NUMBER)EPSILON), speed = largest_of(r, r->unknowns, false);
    const NUMBER impulse = larger(largest_of(r, r->unknowns, true), speed);
    return largest_of(r, r->direction, false) <= half_digits * speed &&
           largest_of(r, r->direction, true) <= half_digits * impulse;
}

/* Until rows are at round-off: Newton doubles digits, so the correction after half of them is the last. */
static bool newton(const room *r, int *iterations)
{
    bool last = false;
    equations(r, r->unknowns, r->row);
    for (*iterations = 1; *iterations <= NEWTON_ITERATIONS; (*iterations)++) {
        if (!factor(r))
            return false;
        const NUMBER size = largest_row(r, r->row);
        if (size == 0)
            return true;
        if (!(size - size == 0))
            return false;
        memcpy(r->direction, r->row, (size_t)r->size * sizeof *r->row);
        solve_matrix(r->a.w, r->matrix, r->size, r->direction);
        const bool half_done = is_half_done(r);
        if (!go(r, size))
            return last || size <= (1 << 16) * (NUMBER)EPSILON;
        if (last)
            return true;
        last = half_done;
    }
    return false;
}

/* Whether the end is on the constraints, as far as velocities go, with the last digits of q_1 changed, too: after a
 * step so long that these matter, positions tell nothing. Afterwards the values at the end are those of that q_1. */
static bool end_is_resolved(const room *r)
{
    const place *a = &r->a;
    const spot end = spot_of(a, false, a->w->mp ? 1 : a->s);
    const int rows = end_rows(r), first = a->m + a->l - rows;
    for (int i = 0; i < a->n; i++)
        end.q[i] += 4 * (NUMBER)EPSILON * end.q[i];
    evaluate(a, &end);
    for (int c = 0; c < rows; c++)
        r->trial_row[c] = end.constraint[first + c] - (a->w->level ? r->level[first + c] : 0);
    return largest_in(rows, r->trial_row, r->end_unit) <= (NUMBER)0x1p-20;
}

static void gain(NUMBER increment, NUMBER *sum, NUMBER *low)
{
    const NUMBER old = *sum, full = increment + *low;
    *sum = old + full;
    *low = full - (*sum - old);
}

/* The member one step on, from the unknowns. */
static void commit(const room *r, NUMBER *x, int iterations)
{
    const place *a = &r->a;
    const int n = a->n, m = a->m, l = a->l, s = a->s, ml = m + l;
    const bool mp = a->w->mp;
    const NUMBER *v1 = r->unknowns + r->size - n;
    for (int i = 0; i < n; i++) {
        NUMBER slope = 0, kick = 0;
        for (int j = 0; j < s; j++) {
            const spot p = spot_of(a, false, j);
            const NUMBER weight = mp ? 1 : ENTRY(NH_SPARK_B, j);
            slope += weight * p.slope[i];
            kick += weight * (p.force[i] + p.reaction[i]);
        }
        if (mp) {
            slope = (x[NH_AT_VELOCITY + i] + v1[i]) / 2;
            x[NH_AT_POSITION_LOW + i] = 0; /* it was that of the middle, which is to be made anew */
        }
        gain(x[NH_AT_STEP] * slope, &x[NH_AT_POSITION + i], &x[NH_AT_POSITION_LOW + i]);
        gain(x[NH_AT_STEP] * kick, &x[NH_AT_MOMENTUM + i], &x[NH_AT_MOMENTUM_LOW + i]);
        x[NH_AT_VELOCITY + i] = v1[i];
    }
    for (int i = 0; i < s * n && !mp; i++)
        x[NH_AT_STAGES + i] = r->unknowns[i];
    if (mp)
        x[NH_AT_MIDDLE_KNOWN] = 0;
    for (int i = 0; i < s * ml; i++)
        x[NH_AT_MULTIPLIERS + i] = r->unknowns[(mp ? 0 : s * n) + i];
    x[NH_AT_COUNT] += 1;
    x[NH_AT_NEWTON] += 1;
    x[NH_AT_ITERATIONS] += iterations;
    if (x[NH_AT_ITERATIONS_MAX] < iterations)
        x[NH_AT_ITERATIONS_MAX] = iterations;
}

/* The unknowns of the step that led to the memory of x; v_1 is its velocity. */
static void recall(const room *r, const NUMBER *x)
{
    const int n = r->a.n, m = r->a.m, l = r->a.l, s = r->a.s, ml = m + l;
    NUMBER *u = r->unknowns;
    if (!r->a.w->mp) {
        memcpy(u, x + NH_AT_STAGES, (size_t)(s * n) * sizeof *u);
        u += s * n;
    }
    memcpy(u, x + NH_AT_MULTIPLIERS, (size_t)(s * ml) * sizeof *u);
    u += s * ml;
    for (; u < r->unknowns + r->size - n; u++) /* extra multipliers are not remembered: they are small */
        *u = 0;
    memcpy(u, x + NH_AT_VELOCITY, (size_t)n * sizeof *u);
}

bool STEP(const nh_whole *w, NUMBER *x)
{
    const room r = room_of(w, x);
    int iterations;
    recall(&r, x);
    if (!newton(&r, &iterations))
        return false;
    equations(&r, r.unknowns, r.row); /* forces at the result */
    if (!end_is_resolved(&r))
        return false;
    commit(&r, x, iterations);
    return true;
}

/* ---- The derivative of the step ---- */

/* The direction number `which` of (q_0, v_0, t_0, h, parameters), with what it does to p_0 and to the constraints. */
static data moving(const room *r, int which)
{
    const place *a = &r->a;
    const int n = a->n;
    const spot at = spot_of(a, false, a->points), by = spot_of(a, true, a->points);
    const data d = data_of(r, r->unknowns);
    NUMBER *parameters = r->parameters;
    memset(by.t, 0, (size_t)a->spot_size * sizeof *by.t);
    memset(parameters, 0, (size_t)a->w->parameters * sizeof *parameters);
    if (which < n)
        by.q[which] = 1;
    else if (which < 2 * n)
        by.v[which - n] = 1;
    else if (which >= 2 * n + 2)
        parameters[which - 2 * n - 2] = 1;
    by.t[0] = which == 2 * n;
    at.t[0] = d.t;
    memcpy(at.q, d.q, (size_t)n * sizeof *d.q);
    memcpy(at.v, d.v, (size_t)n * sizeof *d.v);
    memset(at.lambda, 0, (size_t)(a->m + a->l) * sizeof *at.lambda);
    evaluate_tangent(a, &at, &by, parameters);
    return (data){.q = by.q,
                  .p = by.momentum,
                  .v = by.v,
                  .parameters = parameters,
                  .t = by.t[0],
                  .h = which == 2 * n + 1,
                  .level = a->w->level ? by.constraint : NULL};
}

bool DERIVATIVE(const nh_whole *w, const NUMBER *before, const NUMBER *after, NUMBER *rows)
{
    const room r = room_of(w, before);
    const int n = r.a.n, size = r.size, directions = 2 * n + 2 + w->parameters;
    int iterations;
    recall(&r, after);
    if (r.a.k->traits & NH_STABILISED && !newton(&r, &iterations))
        return false;
    equations(&r, r.unknowns, r.row);
    if (!factor(&r))
        return false;
    for (int which = 0; which < directions; which++) {
        NUMBER *out = rows + (ptrdiff_t)which * (size + n);
        data d = moving(&r, which);
        memset(r.trial, 0, (size_t)size * sizeof *r.trial);
        d.unknowns = r.trial;
        rows_of(&r.a, &d, true, out);
        for (int i = 0; i < size; i++)
            out[i] = -out[i];
        solve_matrix(w, r.matrix, size, out);
        d.unknowns = out;
        rows_of(&r.a, &d, true, r.trial_row);
        memcpy(out + size, spot_of(&r.a, true, w->mp ? 1 : r.a.s).q, (size_t)n * sizeof *out);
    }
    return true;
}
