/* SPDX-License-Identifier: MIT */
/* The equations of a step and their tangent, for one trajectory over NUMBER: (6.1), see spark.h, and (7.3), see mp.h.
 * Every equation is a value at a point, or a sum of such values over points; so the tangent is the same text with
 * tangents in place of values. A point is a stage, the end, or what else a method looks at. */

/* A point on the way: values, or their tangents. */
typedef struct spot {
    NUMBER *t, *q, *v, *slope, *lambda;                           /* slope: of q; v, or with extra multipliers */
    NUMBER *force, *reaction, *momentum, *constraint, *holonomic; /* [n], [n], [n], [m + l: k, g_q v + g_t], [l] */
} spot;

typedef struct place {
    const nh_whole *w;
    const nh_kernel *k;
    int n, m, l, s, points, spot_size;
    const NUMBER *x; /* the member at t_0 */
    NUMBER *values, *tangents;
    const NUMBER *base; /* the unknowns at which tangents are taken */
    NUMBER *room;       /* [m + l] */
} place;

/* What the unknowns and the data are, or the direction in which they move. */
typedef struct data {
    const NUMBER *q, *p, *v, *parameters; /* v: v_0, for (7.3) only */
    NUMBER t, h;
    const NUMBER *unknowns;
    const NUMBER *level; /* of k and g_q v + g_t that the end shall have, [m + l]; NULL: 0 */
} data;

static spot spot_of(const place *a, bool tangent, int point)
{
    NUMBER *at = (tangent ? a->tangents : a->values) + point * a->spot_size;
    const int n = a->n, ml = a->m + a->l;
    spot p = {.t = at, .q = at + 1};
    p.v = p.q + n;
    p.slope = p.v + n;
    p.lambda = p.slope + n;
    p.force = p.lambda + ml;
    p.reaction = p.force + n;
    p.momentum = p.reaction + n;
    p.constraint = p.momentum + n;
    p.holonomic = p.constraint + ml;
    return p;
}

static int spot_size(const nh_kernel *k)
{
    return 1 + 6 * k->n + 2 * (k->m + k->l) + k->l;
}

static void evaluate(const place *a, const spot *p)
{
    const void *in[NH_SPACES] = {[NH_TIME] = p->t, [NH_Q] = p->q, [NH_V] = p->v, [NH_LAMBDA] = p->lambda};
    const int n = a->n, m = a->m, l = a->l, s = a->s;
    const NUMBER *c = a->x + NH_AT_CONSTANTS;
    const nh_kernel *k = a->k;
    k->call(k->user, NH_F_FORCE, c, in, p->force);
    k->call(k->user, NH_F_REACTION, c, in, p->reaction);
    k->call(k->user, NH_F_MOMENTUM, c, in, p->momentum);
    k->call(k->user, NH_F_CONSTRAINT, c, in, p->constraint);
    if (l > 0) {
        k->call(k->user, NH_F_HIDDEN, c, in, p->constraint + m);
        k->call(k->user, NH_F_HOLONOMIC, c, in, p->holonomic);
    }
}

static void evaluate_tangent(const place *a, const spot *p, const spot *d, const NUMBER *parameters)
{
    const void *in[NH_SPACES] = {[NH_TIME] = p->t,        [NH_Q] = p->q,      [NH_V] = p->v,
                                 [NH_LAMBDA] = p->lambda, [NH_D_TIME] = d->t, [NH_D_PARAMETER] = parameters,
                                 [NH_D_Q] = d->q,         [NH_D_V] = d->v,    [NH_D_LAMBDA] = d->lambda};
    const nh_whole *w = a->w;
    void *user = a->k->user;
    w->tangent(user, NH_T_FORCE, w->tangent_constants, in, d->force);
    w->tangent(user, NH_T_REACTION, w->tangent_constants, in, d->reaction);
    w->tangent(user, NH_T_MOMENTUM, w->tangent_constants, in, d->momentum);
    w->tangent(user, NH_T_CONSTRAINT, w->tangent_constants, in, d->constraint);
    if (a->l > 0) {
        w->tangent(user, NH_T_HIDDEN, w->tangent_constants, in, d->constraint + a->m);
        w->tangent(user, NH_T_HOLONOMIC, w->tangent_constants, in, d->holonomic);
    }
}

/* g_q^T mu at a point, with mu in the room of its constraints: a reaction without K^T lambda. Into its reaction. */
static void normal(const place *a, const spot *p)
{
    const void *in[NH_SPACES] = {[NH_TIME] = p->t, [NH_Q] = p->q, [NH_V] = p->v, [NH_LAMBDA] = p->constraint};
    const int n = a->n, m = a->m, l = a->l, s = a->s;
    a->k->call(a->k->user, NH_F_REACTION, a->x + NH_AT_CONSTANTS, in, p->reaction);
}

static void normal_tangent(const place *a, int point, const data *d)
{
    const spot p = spot_of(a, false, point), by = spot_of(a, true, point);
    const int n = a->n, m = a->m, l = a->l, s = a->s;
    NUMBER *mu = a->room;
    for (int c = 0; c < m + l; c++)
        mu[c] = c < m ? 0 : a->base[s * (n + m + l) + point * l + c - m];
    const void *in[NH_SPACES] = {[NH_TIME] = p.t,  [NH_Q] = p.q,       [NH_V] = p.v,
                                 [NH_LAMBDA] = mu, [NH_D_TIME] = by.t, [NH_D_PARAMETER] = d->parameters,
                                 [NH_D_Q] = by.q,  [NH_D_V] = by.v,    [NH_D_LAMBDA] = by.constraint};
    a->w->tangent(a->k->user, NH_T_REACTION, a->w->tangent_constants, in, by.reaction);
}

static void look(const place *a, int point, const data *d, bool tangent)
{
    const spot value = spot_of(a, false, point), change = spot_of(a, true, point);
    if (tangent)
        evaluate_tangent(a, &value, &change, d->parameters);
    else
        evaluate(a, &value);
}

/* h · sum, or the tangent of that product. */
static NUMBER times_step(const place *a, const data *d, bool tangent, NUMBER sum, NUMBER tangent_of_sum)
{
    return tangent ? d->h * sum + a->x[NH_AT_STEP] * tangent_of_sum : d->h * sum;
}

/* ---- (6.1) ---- */

#define COEFFICIENT(matrix, i, j)                                                                                      \
    ((const NUMBER *)a->k->table)[NH_SPARK_AT_MATRIX(s, matrix) + (j)*NH_SPARK_PADDED(s) + (i)]
#define ENTRY(vector, j) ((const NUMBER *)a->k->table)[NH_SPARK_AT_VECTOR(s, vector) + (j)]

/* (t_0 + h/2, q_0 + h/2 V_1, V_1) of 8.4. */
static void spark_middle(const place *a, const data *d, bool tangent)
{
    const int s = a->s;
    const NUMBER half = (NUMBER)0.5;
    const spot first = spot_of(a, tangent, 0), middle = spot_of(a, tangent, s + 1);
    middle.t[0] = d->t + half * d->h;
    for (int i = 0; i < a->n; i++) {
        middle.v[i] = first.v[i];
        middle.q[i] =
            d->q[i] + times_step(a, d, tangent, half * spot_of(a, false, 0).v[i], half * spot_of(a, true, 0).v[i]);
    }
    for (int c = 0; c < a->m + a->l; c++)
        middle.lambda[c] = 0;
}

/* The stabilised form of index 2 (Hilden 2.2): q' = v + g_q^T mu, so that g = 0 and g_q v + g_t = 0 can both be asked
 * for. The unknown is q'; v follows. mu [l] comes after the multipliers of all stages. */
static void spark_velocity(const place *a, const data *d, bool tangent, int j)
{
    const int n = a->n, m = a->m, l = a->l, s = a->s;
    const spot p = spot_of(a, tangent, j);
    memcpy(p.v, p.slope, (size_t)n * sizeof *p.v);
    if (!(a->k->traits & NH_STABILISED) || j == s)
        return;
    const NUMBER *mu = d->unknowns + s * (n + m + l) + j * l;
    for (int c = 0; c < m + l; c++)
        p.constraint[c] = c < m ? 0 : mu[c - m]; /* room, until the constraints are looked at */
    if (tangent)
        normal_tangent(a, j, d);
    else
        normal(a, &p);
    for (int i = 0; i < n; i++)
        p.v[i] -= p.reaction[i];
}

/* (6.1a), (6.1c): where the points are. The end is point s, the middle of 8.4 point s + 1. */
static void spark_places(const place *a, const data *d, bool tangent)
{
    const int n = a->n, ml = a->m + a->l, s = a->s, last = nh_whole_size(a->k, false) - n;
    for (int j = 0; j <= s; j++) {
        const spot p = spot_of(a, tangent, j);
        memcpy(p.slope, d->unknowns + (j < s ? j * n : last), (size_t)n * sizeof *p.slope);
        for (int c = 0; c < ml; c++)
            p.lambda[c] = j < s ? d->unknowns[s * n + j * ml + c] : 0;
        p.t[0] = d->t + (j < s ? ENTRY(NH_SPARK_C, j) : 1) * d->h;
    }
    for (int j = 0; j <= s; j++) {
        for (int i = 0; i < n; i++) {
            NUMBER sum = 0, change = 0;
            for (int r = 0; r < s; r++) {
                const NUMBER weight = j < s ? COEFFICIENT(NH_SPARK_POSITION, j, r) : ENTRY(NH_SPARK_B, r);
                sum += weight * spot_of(a, false, r).slope[i];
                change += weight * spot_of(a, true, r).slope[i];
            }
            spot_of(a, tangent, j).q[i] = d->q[i] + times_step(a, d, tangent, sum, change);
        }
        spark_velocity(a, d, tangent, j);
    }
    if (a->k->traits & NH_MIDPOINT)
        spark_middle(a, d, tangent);
}

/* (6.1b), (6.1d): momenta minus what forces make of p_0. */
static void spark_momenta(const place *a, const data *d, bool tangent, NUMBER *row)
{
    const int n = a->n, s = a->s;
    for (int j = 0; j <= s; j++)
        for (int i = 0; i < n; i++) {
            NUMBER sum = 0, change = 0;
            for (int r = 0; r < s; r++) {
                const NUMBER f = j < s ? COEFFICIENT(NH_SPARK_FORCE, j, r) : ENTRY(NH_SPARK_B, r);
                const NUMBER g = j < s ? COEFFICIENT(NH_SPARK_REACTION, j, r) : ENTRY(NH_SPARK_B, r);
                const spot value = spot_of(a, false, r), derivative = spot_of(a, true, r);
                sum += f * value.force[i] + g * value.reaction[i];
                change += f * derivative.force[i] + g * derivative.reaction[i];
            }
            row[j * n + i] = spot_of(a, tangent, j).momentum[i] - (d->p[i] + times_step(a, d, tangent, sum, change));
        }
}

/* Row e of (6.1e), for constraint c: k, then g_q v + g_t. */
static NUMBER spark_condition(const place *a, const data *d, bool tangent, int e, int c)
{
    const int s = a->s;
    const NUMBER *omega = a->w->omega;
    NUMBER sum = 0, weight = 0;
    if (a->k->traits & NH_MIDPOINT) {
        sum = spot_of(a, tangent, s + 1).constraint[c];
        weight = 1;
    } else if (a->k->traits & NH_COLLOCATED) {
        sum = spot_of(a, tangent, e).constraint[c];
        weight = 1;
    } else {
        for (int j = 0; j < s; j++) {
            sum += omega[e * s + j] * spot_of(a, tangent, j).constraint[c];
            weight += omega[e * s + j];
        }
    }
    return sum - (d->level ? weight * d->level[c] : 0);
}

/* (6.1e) for g, in the stabilised form. */
static NUMBER spark_surface(const place *a, bool tangent, int e, int c)
{
    const NUMBER *omega = a->w->omega;
    NUMBER sum = 0;
    for (int j = 0; j < a->s; j++)
        sum += omega[e * a->s + j] * spot_of(a, tangent, j).holonomic[c];
    return sum;
}

/* (6.1e), (6.1f), or what takes their place; g(Q_i) = 0. */
static void spark_constraints(const place *a, const data *d, bool tangent, NUMBER *row)
{
    const int m = a->m, l = a->l, s = a->s;
    const bool collocated = a->k->traits & NH_COLLOCATED, stabilised = a->k->traits & NH_STABILISED;
    const spot end = spot_of(a, tangent, s);
    for (int e = 0; e < (collocated ? s : s - 1); e++)
        for (int c = 0; c < (stabilised ? m + l : m); c++)
            *row++ = spark_condition(a, d, tangent, e, c);
    for (int j = 1; j < s; j++)
        for (int c = 0; c < l; c++)
            *row++ = stabilised ? spark_surface(a, tangent, j - 1, c) : spot_of(a, tangent, j).holonomic[c];
    for (int c = 0; c < l && stabilised; c++)
        *row++ = end.holonomic[c];
    for (int c = collocated ? m : 0; c < m + l; c++)
        *row++ = end.constraint[c] - (d->level ? d->level[c] : 0);
}

static void spark_rows(const place *a, const data *d, bool tangent, NUMBER *row)
{
    spark_places(a, d, tangent);
    for (int j = 0; j < a->points; j++)
        look(a, j, d, tangent);
    spark_momenta(a, d, tangent, row);
    spark_constraints(a, d, tangent, row + (a->s + 1) * a->n);
}

/* ---- (7.3) ---- */

/* Points: 0 is the middle, 1 the end. Unknowns lambda, v_1. */
static void mp_rows(const place *a, const data *d, bool tangent, NUMBER *row)
{
    const int n = a->n, m = a->m;
    const NUMBER half = (NUMBER)0.5;
    const NUMBER *v0 = a->x + NH_AT_POSITION + 2 * n; /* velocity */
    const spot middle = spot_of(a, tangent, 0), end = spot_of(a, tangent, 1);
    middle.t[0] = d->t + half * d->h;
    end.t[0] = d->t + d->h;
    for (int i = 0; i < n; i++) {
        end.v[i] = end.slope[i] = d->unknowns[m + i];
        middle.v[i] = middle.slope[i] = d->v[i];
        middle.q[i] = d->q[i] + times_step(a, d, tangent, half * v0[i], half * d->v[i]);
        end.q[i] = middle.q[i] + times_step(a, d, tangent, half * spot_of(a, false, 1).v[i], half * end.v[i]);
    }
    for (int c = 0; c < m; c++) {
        middle.lambda[c] = d->unknowns[c];
        end.lambda[c] = 0;
    }
    look(a, 0, d, tangent);
    look(a, 1, d, tangent);
    const spot value = spot_of(a, false, 0), change = spot_of(a, true, 0);
    for (int i = 0; i < n; i++)
        row[i] = end.momentum[i] - (d->p[i] + times_step(a, d, tangent, value.force[i] + value.reaction[i],
                                                         change.force[i] + change.reaction[i]));
    for (int c = 0; c < m; c++)
        row[n + c] = end.constraint[c] - (d->level ? d->level[c] : 0);
}

static void rows_of(const place *a, const data *d, bool tangent, NUMBER *row)
{
    if (a->w->mp)
        mp_rows(a, d, tangent, row);
    else
        spark_rows(a, d, tangent, row);
}
