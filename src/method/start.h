/* SPDX-License-Identifier: MIT */
/* A fresh start of a member; included once for double and once for quad, which define NUMBER, START and RUN. */

void START(const nh_kernel *k, const nh_program *program, const nh_start *from, NUMBER *parameters, NUMBER *x,
           NUMBER *work)
{
    const int n = k->n, m = k->m, l = k->l, s = k->s;
    NUMBER *q = x + NH_AT_POSITION, *v = x + NH_AT_VELOCITY, *c = x + NH_AT_CONSTANTS;
    for (size_t i = 0; i < nh_member_size(k); i++)
        x[i] = 0;
    x[NH_AT_START] = (NUMBER)from->t;
    x[NH_AT_STEP] = (NUMBER)from->h;
    x[NH_AT_RATE] = (NUMBER)NH_RATE_MOST;
    for (int i = 0; i < from->parameters; i++)
        parameters[i] = (NUMBER)from->parameter[i];
    for (int i = 0; i < n; i++) {
        q[i] = (NUMBER)from->q[i];
        v[i] = (NUMBER)from->v[i];
        for (int j = 0; j < s; j++)
            x[NH_AT_STAGES + j * n + i] = v[i];
    }
    const NUMBER *in[NH_SPACES] = {[NH_PARAMETER] = parameters};
    RUN(program, 0, c, in, c, work);
    in[NH_TIME] = x + NH_AT_START;
    in[NH_Q] = q;
    in[NH_V] = v;
    RUN(program, NH_F_MOMENTUM, c, in, x + NH_AT_MOMENTUM, work);
    RUN(program, NH_F_ENERGY, c, in, x + NH_AT_ENERGY, work);
    x[NH_AT_ENERGY_LAST] = x[NH_AT_ENERGY];
}
