/* SPDX-License-Identifier: MIT */
/* The equations of a step and their tangent, for one trajectory over NUMBER: (6.1), see spark.h, and (7.3), see mp.h.
 * Every equation is a value at a point, or a sum of such values over points; so the tangent is the same text with
 * tangents in place of values. A point is a stage, the end, or what else a method looks at. */

/* A point on the way: values, or their tangents. */
typedef struct spot {
    NUMBER *t, *q, *v, *lambda;
    NUMBER *force, *reaction, *momentum, *constraint, *holonomic; /* [n], [n], [n], [m + l: k, g_q v + g_t], [l] */
} spot;

typedef struct place {
    const nh_whole *w;
    const nh_kernel *k;
    int n, m, l, s, points, spot_size;
    const NUMBER *x; /* the member at t_0 */
    NUMBER *values, *tangents;
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
    p.lambda = p.v + n;
    p.force = p.lambda + ml;
    p.reaction = p.force + n;
    p.momentum = p.reaction + n;
    p.constraint = p.momentum + n;
    p.holonomic = p.constraint + ml;
    return p;
}

static int spot_size(const nh_kernel *k)
{
    return 1 + 5 * k->n + 2 * (k->m + k->l) + k->l;
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

/* (6.1a), (6.1c): where the points are. The end is point s, the middle of 8.4 point s + 1. */
static void spark_places(const place *a, const data *d, bool tangent)
{
    const int n = a->n, ml = a->m + a->l, s = a->s;
    const NUMBER half = (NUMBER)0.5;
    const NUMBER *V = a->values + 1 + n; /* v of point 0 */
    const NUMBER *dV = a->tangents + 1 + n;
    for (int j = 0; j <= s; j++) {
        const spot p = spot_of(a, tangent, j);
        for (int i = 0; i < n; i++)
            p.v[i] = d->unknowns[j < s ? j * n + i : s * (n + ml) + i];
        for (int c = 0; c < ml; c++)
            p.lambda[c] = j < s ? d->unknowns[s * n + j * ml + c] : 0;
        p.t[0] = d->t + (j < s ? ENTRY(NH_SPARK_C, j) : 1) * d->h;
    }
    for (int j = 0; j <= s; j++)
        for (int i = 0; i < n; i++) {
            NUMBER sum = 0, change = 0;
            for (int r = 0; r < s; r++) {
                const NUMBER weight = j < s ? COEFFICIENT(NH_SPARK_POSITION, j, r) : ENTRY(NH_SPARK_B, r);
                sum += weight * V[r * a->spot_size + i];
                change += weight * dV[r * a->spot_size + i];
            }
            spot_of(a, tangent, j).q[i] = d->q[i] + times_step(a, d, tangent, sum, change);
        }
    if (!(a->k->traits & NH_MIDPOINT))
        return;
    const spot first = spot_of(a, tangent, 0), middle = spot_of(a, tangent, s + 1);
    middle.t[0] = d->t + half * d->h;
    for (int i = 0; i < n; i++) {
        middle.v[i] = first.v[i];
        middle.q[i] = d->q[i] + times_step(a, d, tangent, half * V[i], half * dV[i]);
    }
    for (int c = 0; c < ml; c++)
        middle.lambda[c] = 0;
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

/* (6.1e), (6.1f), or what takes their place; g(Q_i) = 0. */
static void spark_constraints(const place *a, const data *d, bool tangent, NUMBER *row)
{
    const int m = a->m, l = a->l, s = a->s;
    const NUMBER *omega = a->w->omega;
    const bool collocated = a->k->traits & NH_COLLOCATED, middle = a->k->traits & NH_MIDPOINT;
    for (int e = 0; e < (collocated ? s : s - 1); e++)
        for (int c = 0; c < m; c++) {
            NUMBER sum = 0, weight = 0;
            for (int j = 0; j < s; j++) {
                const NUMBER o = collocated ? e == j : middle ? 0 : omega[e * s + j];
                sum += o * spot_of(a, tangent, j).constraint[c];
                weight += o;
            }
            if (middle)
                sum = spot_of(a, tangent, s + 1).constraint[c], weight = 1;
            *row++ = sum - (d->level ? weight * d->level[c] : 0);
        }
    for (int j = 1; j < s; j++)
        for (int c = 0; c < l; c++)
            *row++ = spot_of(a, tangent, j).holonomic[c];
    const spot end = spot_of(a, tangent, s);
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
        end.v[i] = d->unknowns[m + i];
        middle.v[i] = d->v[i];
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
