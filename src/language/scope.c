/* SPDX-License-Identifier: MIT */
/* Names in a hash table with open addressing. */
#include "language/scope.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char *name, size_t length)
{
    return (uint32_t)nh_hash64(name, length, 0);
}

static bool grow_table(nh_scope *s)
{
    uint32_t slots = s->slots ? 2 * s->slots : 128;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t k = s->symbol[i].hash & (slots - 1);
        while (slot[k])
            k = (k + 1) & (slots - 1);
        slot[k] = i + 1;
    }
    free(s->slot);
    s->slot = slot;
    s->slots = slots;
    return true;
}

nh_symbol *nh_scope_find(const nh_scope *s, const char *name, size_t length)
{
    if (s->slots == 0)
        return NULL;
    uint32_t hash = hash_of(name, length);
    for (uint32_t k = hash & (s->slots - 1); s->slot[k]; k = (k + 1) & (s->slots - 1)) {
        nh_symbol *symbol = &s->symbol[s->slot[k] - 1];
        if (symbol->hash == hash && !strncmp(symbol->name, name, length) && !symbol->name[length])
            return symbol;
    }
    return NULL;
}

nh_symbol *nh_scope_add(nh_scope *s, const char *name, nh_sort sort)
{
    if (2 * s->count >= s->slots && !grow_table(s))
        return NULL;
    if (!nh_grow(&s->symbol, &s->capacity, s->count, sizeof *s->symbol))
        return NULL;
    uint32_t hash = hash_of(name, strlen(name)), k = hash & (s->slots - 1);
    while (s->slot[k])
        k = (k + 1) & (s->slots - 1);
    s->slot[k] = s->count + 1;
    nh_symbol *symbol = &s->symbol[s->count++];
    *symbol = (nh_symbol){.name = name, .hash = hash, .sort = sort, .count = 1};
    return symbol;
}

bool nh_scope_start(nh_scope *s)
{
    static const struct {
        const char *name;
        nh_sort sort;
    } word[] = {{"t", NH_S_TIME}, {"pi", NH_S_PI}, {"lambda", NH_S_LAMBDA}, {"sum", NH_S_SUM}, {"prod", NH_S_PROD}};
    bool good = true;
    for (size_t i = 0; good && i < sizeof word / sizeof *word; i++)
        good = nh_scope_add(s, word[i].name, word[i].sort) != NULL;
    for (int f = 0; good && f < NH_FUNCTIONS; f++) {
        nh_symbol *symbol = nh_scope_add(s, nh_function_get((nh_function)f)->name, NH_S_FUNCTION);
        good = symbol != NULL;
        if (good)
            symbol->value = f;
    }
    return good;
}

void nh_scope_free(nh_scope *s)
{
    free(s->symbol);
    free(s->slot);
    *s = (nh_scope){0};
}

const char *nh_scope_nearest(const nh_scope *s, const char *name, uint32_t sorts)
{
    const char *best = NULL;
    size_t distance = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if ((sorts >> s->symbol[i].sort & 1) && (!best || distance > 1))
            nh_nearer(name, s->symbol[i].name, &best, &distance);
    return best;
}
