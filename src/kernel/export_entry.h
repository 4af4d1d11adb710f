/* SPDX-License-Identifier: MIT */
/* What others call; the header tells how. */

/* The state as others see it, from the memory. */
static void nh_show(MODEL_state *state)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_real *x = state->memory;
    state->t = x[NH_AT_START] + x[NH_AT_COUNT] * x[NH_AT_STEP];
    for (int i = 0; i < n; i++) {
        state->q[i] = x[NH_AT_POSITION + i];
        state->v[i] = x[NH_AT_VELOCITY + i];
    }
    for (int c = 0; c < ml; c++)
        state->lambda[c] = x[NH_AT_MULTIPLIERS + (s - 1) * ml + c];
}

/* The table of inputs of the model's functions. */
static void nh_inputs(const MODEL_state *state, const nh_real *in[NH_SPACES])
{
    in[NH_TIME] = &state->t;
    in[NH_Q] = state->q;
    in[NH_V] = state->v;
}

void MODEL_restart(MODEL_state *state)
{
    NH_SIZES;
    nh_real *x = state->memory;
    const nh_real *in[NH_SPACES] = {0};
    for (int i = 0; i < NH_AT_CONSTANTS; i++)
        x[i] = 0;
    x[NH_AT_START] = state->t;
    x[NH_AT_STEP] = state->h;
#if NH_IS_SPARK
    x[NH_AT_RATE] = NH_RATE_MOST;
#endif
    for (int i = 0; i < n; i++) {
        x[NH_AT_POSITION + i] = state->q[i];
        x[NH_AT_VELOCITY + i] = state->v[i];
#if NH_IS_SPARK
        for (int j = 0; j < s; j++)
            x[NH_AT_STAGES + j * n + i] = state->v[i];
#endif
    }
#if NH_PARAMETERS > 0
    in[NH_PARAMETER] = state->parameter;
#endif
#if NH_CONSTANTS > 0
    NH_CALL(NH_F_CONSTANTS, x + NH_AT_CONSTANTS, in, x + NH_AT_CONSTANTS);
#endif
    nh_inputs(state, in);
    NH_CALL(NH_F_MOMENTUM, x + NH_AT_CONSTANTS, in, x + NH_AT_MOMENTUM);
    nh_show(state);
}

void MODEL_init(MODEL_state *state)
{
    NH_SIZES;
    state->t = nh_initial_t;
    state->h = nh_initial_h;
    for (int i = 0; i < n; i++) {
        state->q[i] = nh_initial_q[i];
        state->v[i] = nh_initial_v[i];
    }
#if NH_PARAMETERS > 0
    for (int i = 0; i < MODEL_parameters; i++)
        state->parameter[i] = nh_initial_parameter[i];
#endif
    MODEL_restart(state);
}

MODEL_status MODEL_step(MODEL_state *state)
{
    NH_SIZES;
    nh_real *x = state->memory;
    NH_TAKE_FRAME(f)
    nh_begin(NH_PASS, &f, x);
    const nh_mask good = nh_try(NH_PASS, &f, x, 1);
    nh_take(NH_PASS, &f, x, 1, good);
    if (good)
        x[NH_AT_COUNT] += 1;
    nh_finish(NH_PASS, &f, x);
    if (!good)
        return MODEL_not_converged;
    nh_show(state);
    return MODEL_good;
}

double MODEL_energy(const MODEL_state *state)
{
    NH_SIZES;
    nh_real energy = 0;
    const nh_real *in[NH_SPACES] = {0};
    nh_inputs(state, in);
    NH_CALL(NH_F_ENERGY, state->memory + NH_AT_CONSTANTS, in, &energy);
    return energy;
}

#if NH_CONSTRAINTS > 0
void MODEL_constraint(const MODEL_state *state, double *residual)
{
    NH_SIZES;
    const nh_real *in[NH_SPACES] = {0};
    nh_inputs(state, in);
    if (m > 0)
        NH_CALL(NH_F_CONSTRAINT, state->memory + NH_AT_CONSTANTS, in, residual);
    if (l > 0) {
        NH_CALL(NH_F_HOLONOMIC, state->memory + NH_AT_CONSTANTS, in, residual + m);
        NH_CALL(NH_F_HIDDEN, state->memory + NH_AT_CONSTANTS, in, residual + m + l);
    }
}
#endif
