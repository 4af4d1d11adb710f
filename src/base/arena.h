/* SPDX-License-Identifier: MIT */
/* Memory that is taken piece by piece and given back at once. */
#ifndef NH_BASE_ARENA_H
#define NH_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct nh_arena_chunk nh_arena_chunk;
typedef struct nh_arena {
    nh_arena_chunk *chunk;
    bool failed; /* an allocation failed; stays set */
} nh_arena;      /* all zero is an empty arena */

/* Zeroed memory, aligned for any type; NULL (and `failed`) when there is none. */
void *nh_arena_alloc(nh_arena *arena, size_t bytes);
/* `count` zeroed items; a product that overflows is a failure like any other. */
void *nh_arena_array(nh_arena *arena, size_t count, size_t item_size);
/* A copy of `length` bytes of text, NUL-terminated. */
char *nh_arena_text(nh_arena *arena, const char *text, size_t length);
void nh_arena_free(nh_arena *arena);

#define NH_NEW(arena, type, count) ((type *)nh_arena_array((arena), (size_t)(count), sizeof(type)))

/* Growable array of anything: `items_pointer` is a T** to memory from realloc, NULL at first. Makes room for item
 * number `count`; returns false, and leaves the array as it is, when there is no memory.
 *     if (!nh_grow(&items, &capacity, count, sizeof *items)) fail; items[count++] = x; ... free(items); */
bool nh_grow(void *items_pointer, size_t *capacity, size_t count, size_t item_size);

#endif
