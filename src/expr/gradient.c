/* SPDX-License-Identifier: MIT */
/* Reverse accumulation. The adjoint of every node is built from the root down; a leaf x[c] with adjoint a becomes the
 * piece "entry c gains a". A sum is opened: inside its loop, nodes that vary with the index have their adjoints there;
 * what does not vary belongs outside, and gains the sum over the index of what the body contributes. So a shared
 * subexpression is differentiated once, at the outermost loop that it belongs to. */
#include "base/map.h"
#include "expr/gather.h"
#include "expr/store.h"

#include <stdlib.h>
#include <string.h>

/* One sweep: the adjoints of the nodes below a root, inside `loops` open loops. */
typedef struct sweep {
    struct sweep *outside; /* the sweep in which the innermost loop was met; NULL for the outermost */
    int loops;
    nh_map adjoint, listed;
} sweep;

typedef struct task {
    nh_graph *g;
    nh_space x;
    nh_piece nest; /* row and loops of what is differentiated, then the loops opened on the way */
    nh_field *out;
    bool failed;
} task;

static void run(task *t, sweep *outside, int loops, nh_expr root, nh_expr adjoint);

static void contribute(task *t, sweep *s, nh_expr e, nh_expr adjoint)
{
    if (!nh_map_get(&s->listed, e)) { /* new in an opened body: not below the root of this sweep */
        run(t, s->outside, s->loops, e, adjoint);
        return;
    }
    nh_expr sum = nh_map_get(&s->adjoint, e);
    nh_map_set(&s->adjoint, e, sum ? nh_add(t->g, sum, adjoint) : adjoint);
}

static void emit_leaf(task *t, const sweep *s, nh_expr leaf, nh_expr adjoint)
{
    nh_piece piece = t->nest;
    piece.loops = s->loops;
    piece.column = nh_get_affine(t->g, leaf);
    piece.value = adjoint;
    t->failed |= !nh_field_add(t->out, &piece);
}

static void enter_loop(task *t, sweep *s, nh_expr loop, nh_expr adjoint)
{
    nh_graph *g = t->g;
    int index = NH_OPEN + s->loops;
    if (s->loops >= NH_MAX_NEST) {
        nh_graph_limit(g, "sums and products are nested too deep");
        return;
    }
    nh_affine count = nh_get_affine(g, loop);
    nh_expr body = nh_open_body(g, loop, index);
    if (nh_get(g, loop).op == NH_PROD)
        adjoint = nh_mul(g, adjoint, nh_other_factors(g, body, index, count));
    t->nest.count[s->loops] = count;
    run(t, s, s->loops + 1, body, adjoint);
}

static void differentiate(task *t, sweep *s, nh_expr e, nh_expr adjoint)
{
    nh_graph *g = t->g;
    nh_node n = nh_get(g, e);
    if (n.op == NH_VARIABLE) {
        emit_leaf(t, s, e, adjoint);
        return;
    }
    if (n.op == NH_SUM || n.op == NH_PROD) {
        enter_loop(t, s, e, adjoint);
        return;
    }
    nh_expr a, b;
    nh_partials(g, e, &a, &b);
    if (a && nh_depends(g, n.a, 1u << t->x))
        contribute(t, s, n.a, nh_mul(g, adjoint, a));
    if (b && nh_depends(g, n.b, 1u << t->x))
        contribute(t, s, n.b, nh_mul(g, adjoint, b));
}

/* Hands a node that does not vary with the innermost loop to the sweep outside of it. */
static bool hand_out(task *t, sweep *s, nh_expr e, nh_expr adjoint)
{
    int index = NH_OPEN + s->loops - 1;
    if (!s->outside || (nh_get(t->g, e).free >> index & 1))
        return false;
    contribute(t, s->outside, e, nh_sum(t->g, index, t->nest.count[s->loops - 1], adjoint));
    return true;
}

static void run(task *t, sweep *outside, int loops, nh_expr root, nh_expr adjoint)
{
    nh_graph *g = t->g;
    if (!root || !adjoint || !nh_depends(g, root, 1u << t->x))
        return;
    sweep s = {.outside = outside, .loops = loops};
    uint32_t length;
    nh_expr *list = nh_reachable(g, &root, 1, &length);
    for (uint32_t i = 0; list && i < length; i++)
        if (nh_depends(g, list[i], 1u << t->x))
            nh_map_set(&s.listed, list[i], 1);
    nh_map_set(&s.adjoint, root, adjoint);
    for (uint32_t i = length; list && i-- > 0;) {
        nh_expr a = nh_map_get(&s.adjoint, list[i]);
        if (a && !nh_is_number(g, a, 0) && !hand_out(t, &s, list[i], a))
            differentiate(t, &s, list[i], a);
    }
    t->failed |= !list || s.adjoint.failed || s.listed.failed;
    free(list);
    nh_map_free(&s.adjoint);
    nh_map_free(&s.listed);
}

nh_status nh_field_jacobian(nh_graph *g, const nh_field *f, nh_space x, int size, nh_field *out, nh_error *error)
{
    *out = (nh_field){.rows = f->rows, .columns = size};
    for (uint32_t i = 0; i < f->pieces; i++) {
        nh_field raw = {.rows = f->rows, .columns = size};
        task t = {.g = g, .x = x, .nest = f->piece[i], .out = &raw};
        run(&t, NULL, f->piece[i].loops, f->piece[i].value, nh_integer(g, 1));
        bool gathered = !t.failed && nh_gather(g, &raw, f->piece[i].loops, out);
        nh_field_free(&raw);
        if (!gathered) {
            nh_field_free(out);
            return nh_fail(error, NH_MEMORY, "out of memory while differentiating");
        }
    }
    nh_status status = nh_graph_status(g, error);
    if (status == NH_OK && !nh_mark_overlaps(out))
        status = nh_fail(error, NH_MEMORY, "out of memory while differentiating");
    if (status != NH_OK)
        nh_field_free(out);
    return status;
}

nh_status nh_gradient(nh_graph *g, nh_expr e, nh_space x, int size, nh_field *out, nh_error *error)
{
    nh_piece scalar = {.value = e};
    nh_field f = {.rows = 1, .columns = 1, .piece = &scalar, .pieces = 1};
    nh_status status = nh_field_jacobian(g, &f, x, size, out, error);
    for (uint32_t i = 0; status == NH_OK && i < out->pieces; i++) { /* the row becomes a column */
        out->piece[i].row = out->piece[i].column;
        out->piece[i].column = nh_affine_constant(0);
    }
    out->rows = size;
    out->columns = 1;
    return status;
}
