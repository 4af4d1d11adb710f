/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <math.h>
#include <stdlib.h>

nh_affine subscript(int first, int factor)
{
    return (nh_affine){.constant = first, .terms = 1, .term = {{NH_OPEN, factor}}};
}

double next_uniform(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ z >> 31) >> 12) + 0.5) / 0x1p52;
}

static nh_quad run(const nh_program *p, const nh_quad *const x[NH_SPACES])
{
    nh_quad *work = malloc((nh_program_work(p) + (size_t)nh_program_constants(p) + 1) * sizeof *work), y;
    nh_quad *c = work + nh_program_work(p);
    nh_tape_prepare_quad(p, work);
    nh_tape_run_quad(p, 0, c, x, c, work);
    nh_tape_run_quad(p, 1, c, x, &y, work);
    free(work);
    return y;
}

static nh_program *program_of(nh_graph *g, nh_expr e, int parameters)
{
    nh_piece piece = {.value = e};
    nh_field f = {.rows = 1, .columns = 1, .piece = &piece, .pieces = 1};
    nh_program *p;
    return nh_program_new(g, &f, NULL, 1, parameters, &p, NULL) == NH_OK ? p : NULL;
}

nh_quad value_at(nh_graph *g, nh_expr e, const nh_quad *const x[NH_SPACES], int parameters)
{
    nh_program *p = program_of(g, e, parameters);
    nh_quad y = p ? run(p, x) : (nh_quad)NAN;
    nh_program_free(p);
    return y;
}

nh_quad difference_at(nh_graph *g, nh_expr e, nh_quad *x[NH_SPACES], nh_space space, int k, int parameters)
{
    static const double weight[4] = {672, -168, 32, -3}; /* over 840 */
    nh_program *p = program_of(g, e, parameters);
    nh_quad h = (nh_quad)1 / 4096, at = x[space][k], sum = 0;
    for (int i = 0; p && i < 4; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            x[space][k] = at + sign * (i + 1) * h;
            sum += sign * (nh_quad)weight[i] * run(p, (const nh_quad *const *)x);
        }
    x[space][k] = at;
    nh_program_free(p);
    return p ? sum / (840 * h) : (nh_quad)NAN;
}
