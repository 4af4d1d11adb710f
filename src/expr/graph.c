/* SPDX-License-Identifier: MIT */
/* Storage of the expression graph: three interning tables (nodes, numbers, affine functions). */
#include "expr/store.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { NH_MAX_NODES = 1 << 26 };

typedef bool same_row(const nh_graph *g, uint32_t row, const void *key);

nh_graph *nh_graph_new(void)
{
    nh_graph *g = calloc(1, sizeof *g);
    if (g && nh_grow(&g->node, &g->node_capacity, 1, sizeof *g->node) &&
        nh_grow(&g->order, &g->order_capacity, 1, sizeof *g->order) &&
        nh_grow(&g->hash, &g->hash_capacity, 1, sizeof *g->hash)) {
        g->order[0] = 0;
        g->hash[0] = 0;
        g->node[0] = (nh_node){.op = UINT8_MAX}; /* no expression: like none that there is */
        g->nodes = 1;
        return g;
    }
    nh_graph_free(g);
    return NULL;
}

void nh_graph_free(nh_graph *g)
{
    if (!g)
        return;
    free(g->node);
    free(g->order);
    free(g->hash);
    free(g->number);
    free(g->affine);
    free(g->node_table.slot);
    free(g->number_table.slot);
    free(g->affine_table.slot);
    nh_arena_free(&g->arena);
    free(g);
}

static nh_expr fail(nh_graph *g, nh_status status, const char *reason)
{
    if (!g->status) {
        g->status = status;
        g->reason = reason;
    }
    return 0;
}

nh_expr nh_graph_no_memory(nh_graph *g)
{
    return fail(g, NH_MEMORY, "out of memory while building expressions");
}

nh_expr nh_graph_limit(nh_graph *g, const char *reason)
{
    return fail(g, NH_LIMIT, reason);
}

nh_status nh_graph_status(const nh_graph *g, nh_error *error)
{
    if (g->status)
        return nh_fail(error, g->status, "%s", g->reason);
    return g->arena.failed ? nh_fail(error, NH_MEMORY, "out of memory while building expressions") : NH_OK;
}

nh_status nh_graph_report(nh_graph *g, nh_error *error)
{
    nh_status status = nh_graph_status(g, error);
    g->status = NH_OK; /* what was built is whole: nodes are added last */
    return status;
}

uint32_t nh_graph_size(const nh_graph *g)
{
    return g->nodes - 1;
}

static bool table_rehash(nh_table *t)
{
    uint32_t size = t->size ? 2 * t->size : 256;
    nh_slot *slot = calloc(size, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t i = 0; i < t->size; i++) {
        if (!t->slot[i].row)
            continue;
        uint32_t k = t->slot[i].hash & (size - 1);
        while (slot[k].row)
            k = (k + 1) & (size - 1);
        slot[k] = t->slot[i];
    }
    free(t->slot);
    t->slot = slot;
    t->size = size;
    return true;
}

/* The slot of a key: of its row if it is there, else an empty one. NULL when out of memory. */
static nh_slot *table_find(const nh_graph *g, nh_table *t, const void *key, size_t bytes, same_row *same)
{
    if (2 * t->count >= t->size && !table_rehash(t))
        return NULL;
    uint32_t hash = (uint32_t)nh_hash64(key, bytes, 0);
    uint32_t k = hash & (t->size - 1);
    while (t->slot[k].row && !(t->slot[k].hash == hash && same(g, t->slot[k].row - 1, key)))
        k = (k + 1) & (t->size - 1);
    t->slot[k].hash = hash;
    return &t->slot[k];
}

static bool same_node(const nh_graph *g, uint32_t row, const void *key)
{
    return memcmp(&g->node[row], key, sizeof(nh_node)) == 0;
}

static bool same_affine(const nh_graph *g, uint32_t row, const void *key)
{
    return memcmp(&g->affine[row], key, sizeof(nh_affine)) == 0;
}

/* Numbers are compared by value; the key of a decimal text is the text. */
typedef struct number_key {
    int64_t num, den;
    uint64_t decimal;
} number_key;

static number_key key_of(nh_number x)
{
    bool text = !nh_number_is_rational(x);
    return (number_key){x.num, x.den, text ? nh_hash64(x.decimal, strlen(x.decimal), 1) : 0};
}

void nh_graph_seal(nh_graph *g)
{
    g->sealed = true;
}

bool nh_has_affine(nh_node n)
{
    return n.op == NH_VARIABLE || n.op == NH_INDEX || n.op == NH_SUM || n.op == NH_PROD;
}

static uint64_t content_hash(const nh_graph *g, const nh_node *n)
{
    uint64_t key[4] = {n->op | (uint64_t)n->function << 8 | (uint64_t)n->space << 16 | (uint64_t)n->index << 24,
                       (uint64_t)n->exponent, g->hash[n->a], g->hash[n->b]};
    if (n->op == NH_NUMBER) {
        number_key number = key_of(g->number[n->data]);
        key[1] = number.decimal, key[2] = (uint64_t)number.num, key[3] = (uint64_t)number.den;
    }
    uint64_t hash = nh_hash64(key, sizeof key, 0);
    if (nh_has_affine(*n)) {
        nh_affine f = g->affine[n->data];
        for (int i = -1; i < f.terms; i++) {
            int64_t part[2] = {i < 0 ? -1 : f.term[i].index, i < 0 ? f.constant : f.term[i].factor};
            hash = nh_hash64(part, sizeof part, hash);
        }
    }
    return hash;
}

/* The place of a new node among operands: its number in the source; later, its rank and a hash of what it is. Numbers
 * are hashed always, because values from outside (--set) may bring numbers into a source. They move the numbers of all
 * nodes behind them, too, which is why hashes are of operands' hashes: a parameter's value must not change the order of
 * a sum, or a member of an ensemble would not be the motion that --set gives. */
static uint64_t order_of(const nh_graph *g, const nh_node *n, uint64_t hash)
{
    if (!g->sealed && n->op != NH_NUMBER)
        return g->nodes;
    return UINT64_C(1) << 63 | (uint64_t)n->rank << 35 | hash >> 29;
}

static uint32_t rank_of(const nh_graph *g, const nh_node *n)
{
    enum { COMPONENT_BITS = 23 };
    uint32_t a = g->node[n->a].rank, b = g->node[n->b].rank;
    if (n->op != NH_VARIABLE)
        return a > b ? a : b;
    uint32_t most = (1u << COMPONENT_BITS) - 1, component = (uint32_t)g->affine[n->data].constant;
    return (uint32_t)(n->space + 1) << COMPONENT_BITS | (component < most ? component : most);
}

nh_expr nh_intern(nh_graph *g, const nh_node *new)
{
    if (g->status)
        return 0;
    nh_node node = *new;
    node.rank = rank_of(g, new);
    nh_slot *slot = table_find(g, &g->node_table, &node, sizeof node, same_node);
    if (!slot)
        return nh_graph_no_memory(g);
    if (slot->row)
        return slot->row - 1;
    if (g->nodes >= NH_MAX_NODES)
        return nh_graph_limit(g, "the expressions are too large");
    if (!nh_grow(&g->node, &g->node_capacity, g->nodes + 1, sizeof *g->node) ||
        !nh_grow(&g->order, &g->order_capacity, g->nodes + 1, sizeof *g->order) ||
        !nh_grow(&g->hash, &g->hash_capacity, g->nodes + 1, sizeof *g->hash))
        return nh_graph_no_memory(g);
    g->hash[g->nodes] = content_hash(g, &node);
    g->order[g->nodes] = order_of(g, &node, g->hash[g->nodes]);
    g->node[g->nodes] = node;
    slot->row = g->nodes + 1;
    g->node_table.count++;
    return g->nodes++;
}

uint32_t nh_intern_affine(nh_graph *g, const nh_affine *affine)
{
    nh_slot *slot = table_find(g, &g->affine_table, affine, sizeof *affine, same_affine);
    if (!slot || (!slot->row && !nh_grow(&g->affine, &g->affine_capacity, g->affines + 1, sizeof *g->affine))) {
        nh_graph_no_memory(g);
        return 0;
    }
    if (!slot->row) {
        g->affine[g->affines] = *affine;
        slot->row = ++g->affines;
        g->affine_table.count++;
    }
    return slot->row - 1;
}

static bool same_number(const nh_graph *g, uint32_t row, const void *key)
{
    number_key k = key_of(g->number[row]);
    return memcmp(&k, key, sizeof k) == 0;
}

nh_expr nh_constant(nh_graph *g, nh_number x)
{
    number_key key = key_of(x);
    nh_slot *slot = table_find(g, &g->number_table, &key, sizeof key, same_number);
    if (!slot || (!slot->row && !nh_grow(&g->number, &g->number_capacity, g->numbers + 1, sizeof *g->number)))
        return nh_graph_no_memory(g);
    if (!slot->row) {
        if (!nh_number_is_rational(x))
            x.decimal = nh_arena_text(&g->arena, x.decimal, strlen(x.decimal));
        g->number[g->numbers] = x;
        slot->row = ++g->numbers;
        g->number_table.count++;
    }
    return nh_intern(g, &(nh_node){.op = NH_NUMBER, .data = slot->row - 1});
}

nh_node nh_get(const nh_graph *g, nh_expr e)
{
    return g->node[e];
}

nh_number nh_get_number(const nh_graph *g, nh_expr e)
{
    return g->number[g->node[e].data];
}

nh_affine nh_get_affine(const nh_graph *g, nh_expr e)
{
    return g->affine[g->node[e].data];
}

bool nh_is_number(const nh_graph *g, nh_expr e, int64_t value)
{
    return g->node[e].op == NH_NUMBER && nh_number_is(nh_get_number(g, e), value);
}

bool nh_depends(const nh_graph *g, nh_expr e, uint32_t spaces)
{
    return (g->node[e].spaces & spaces) != 0;
}
