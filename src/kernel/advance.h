/* SPDX-License-Identifier: MIT */
/* Many steps of a batch: every lane goes on until its target, or until its first gear fails; on the way energy and
 * constraints are looked at. The method gives nh_frame, nh_begin, nh_try, nh_take, nh_locate and nh_finish. Groups of
 * lanes take their steps in turn: a processor begins with the next one while it waits for results of the last. All try
 * before one takes its step: what waits for a multiplier fills the queues of a processor, and keeps the others out. */

/* The point where the batch is: for energy and constraints. */
NH_INLINE nh_point nh_here(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    nh_locate(NH_PASS, f, x);
    f->t1[0] = x[NH_AT_START] + x[NH_AT_COUNT] * x[NH_AT_STEP];
    return (nh_point){
        .t = f->t1, .q = x + NH_AT_POSITION, .v = x + NH_AT_SPEED, .c = x + NH_AT_CONSTANTS, .work = f->work};
}

/* Largest residual of a constraint: |k|, |g_q v + g_t|, |g|. */
NH_INLINE nh_real nh_violation_of(NH_CONTEXT, const nh_frame *f, const nh_point *here)
{
    NH_SIZES;
    nh_real *residual = f->audit + 1, largest = nh_set(0);
    nh_point_constraint(NH_PASS, here, 1, residual);
    if (l > 0)
        nh_point_holonomic(NH_PASS, here, residual + m + l);
    for (int c = 0; c < m + 2 * l; c++)
        largest = nh_worse(largest, nh_abs(residual[c]));
    return largest;
}

/* Running mean and moments of the step number and the energy error, for the slope of the error. */
NH_INLINE void nh_audit_drift(nh_real *x, nh_mask due, nh_real error)
{
    const nh_real count = x[NH_AT_AUDITS] + 1, weight = 1 / count;
    const nh_real ds = x[NH_AT_COUNT] - x[NH_AT_MEAN_STEP], de = error - x[NH_AT_MEAN_ERROR];
    const nh_real mean_step = x[NH_AT_MEAN_STEP] + ds * weight, mean_error = x[NH_AT_MEAN_ERROR] + de * weight;
    const nh_real rest = error - mean_error;
    x[NH_AT_STEP_STEP] = nh_select(due, x[NH_AT_STEP_STEP] + ds * (x[NH_AT_COUNT] - mean_step), x[NH_AT_STEP_STEP]);
    x[NH_AT_STEP_ERROR] = nh_select(due, x[NH_AT_STEP_ERROR] + ds * rest, x[NH_AT_STEP_ERROR]);
    x[NH_AT_ERROR_ERROR] = nh_select(due, x[NH_AT_ERROR_ERROR] + de * rest, x[NH_AT_ERROR_ERROR]);
    x[NH_AT_MEAN_STEP] = nh_select(due, mean_step, x[NH_AT_MEAN_STEP]);
    x[NH_AT_MEAN_ERROR] = nh_select(due, mean_error, x[NH_AT_MEAN_ERROR]);
    x[NH_AT_AUDITS] = nh_select(due, count, x[NH_AT_AUDITS]);
}

NH_INLINE void nh_audit_lanes(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask due)
{
    const nh_point here = nh_here(NH_PASS, f, x);
    NH_POINT_INPUTS(in, &here);
    NH_CALL(NH_F_ENERGY, here.c, in, f->audit);
    const nh_real energy = f->audit[0], error = energy - x[NH_AT_ENERGY], size = nh_abs(error);
    const nh_real violation = nh_violation_of(NH_PASS, f, &here);
    const nh_mask more = due & nh_not(size <= x[NH_AT_ENERGY_MAX]);
    const nh_mask worse = due & nh_not(violation <= x[NH_AT_CONSTRAINT_MAX]);
    x[NH_AT_ENERGY_LAST] = nh_select(due, energy, x[NH_AT_ENERGY_LAST]);
    x[NH_AT_ENERGY_MAX] = nh_select(more, size, x[NH_AT_ENERGY_MAX]);
    x[NH_AT_CONSTRAINT_MAX] = nh_select(worse, violation, x[NH_AT_CONSTRAINT_MAX]);
    x[NH_AT_NEXT_AUDIT] = nh_select(due, x[NH_AT_COUNT] + x[NH_AT_STRIDE], x[NH_AT_NEXT_AUDIT]);
    nh_audit_drift(x, due, error);
}

/* The lanes of a group that have not arrived. */
NH_INLINE nh_mask nh_set_out(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    const nh_mask due = (nh_set(0) < x[NH_AT_STRIDE]) & (x[NH_AT_NEXT_AUDIT] <= x[NH_AT_COUNT]);
    if (nh_any(due))
        nh_audit_lanes(NH_PASS, f, x, due);
    return (x[NH_AT_COUNT] < x[NH_AT_TARGET]) & (x[NH_AT_STATUS] == nh_set(NH_STATUS_GOOD));
}

/* Steps that they make before one of them arrives or is audited; infinitely many if there are none. */
NH_INLINE double nh_calm(const nh_real *x, nh_mask active)
{
    const nh_real end = x[NH_AT_TARGET], soonest = nh_min(x[NH_AT_NEXT_AUDIT], end);
    const nh_real steps = nh_select(nh_set(0) < x[NH_AT_STRIDE], soonest, end) - x[NH_AT_COUNT];
    return nh_least(nh_select(active, steps, nh_set(__builtin_inf())));
}

/* Those that can make a step. */
NH_INLINE nh_mask nh_go_on(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    if (!NH_TRAIT(NH_STABILISED) && nh_any(active))
        return nh_try(NH_PASS, f, x, active);
    return active & nh_not(active);
}

/* They make it; returns whether others cannot. As a rule all lanes do, and nothing has to be selected. */
NH_INLINE int nh_arrive(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active, nh_mask good)
{
    if (!nh_any(active))
        return 0;
    if (!NH_TRAIT(NH_STABILISED))
        nh_take(NH_PASS, f, x, active, good);
    const nh_real next = x[NH_AT_COUNT] + 1;
    if (!nh_any(nh_not(good))) {
        x[NH_AT_COUNT] = next;
        return 0;
    }
    const nh_mask failed = active & nh_not(good);
    x[NH_AT_COUNT] = nh_select(good, next, x[NH_AT_COUNT]);
    x[NH_AT_STATUS] = nh_select(failed, nh_set(NH_STATUS_SLOW), x[NH_AT_STATUS]);
    return nh_any(failed);
}

/* Groups are told apart by names and not by a subscript: then numbers of all of them may live in registers. */
#define NH_GROUP_BEGIN(g)                                                                                              \
    NH_TAKE_FRAME(g)                                                                                                   \
    nh_real *const x##g = (nh_real *)batch + g * NH_MEMBER_SIZE;                                                       \
    nh_begin(NH_PASS, &f##g, x##g);
#define NH_GROUP_SET_OUT(g)                                                                                            \
    const nh_mask active##g = nh_set_out(NH_PASS, &f##g, x##g);                                                        \
    const double calm##g = nh_calm(x##g, active##g);                                                                   \
    calm = calm##g < calm ? calm##g : calm;
#define NH_GROUP_GO_ON(g)  const nh_mask good##g = nh_go_on(NH_PASS, &f##g, x##g, active##g);
#define NH_GROUP_ARRIVE(g) failed |= nh_arrive(NH_PASS, &f##g, x##g, active##g, good##g);
#define NH_GROUP_FINISH(g) nh_finish(NH_PASS, &f##g, x##g);

/* Who is on the way is asked only when that may have changed: a step may be as short as the question. */
NH_KERNEL void NH_ADVANCE(NH_ARGUMENTS)
{
    NH_SIZES;
    NH_EACH_GROUP(NH_GROUP_BEGIN)
    for (;;) {
        double calm = __builtin_inf();
        NH_EACH_GROUP(NH_GROUP_SET_OUT)
        if (calm == __builtin_inf())
            break;
        for (int failed = 0; calm > 0 && !failed; calm--) {
            NH_EACH_GROUP(NH_GROUP_GO_ON)
            NH_EACH_GROUP(NH_GROUP_ARRIVE)
        }
    }
    NH_EACH_GROUP(NH_GROUP_FINISH)
}
