/* SPDX-License-Identifier: MIT */
/* Chunks from calloc, so that pieces are zero without further work; each new chunk is twice as large, up to a limit. */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

struct nh_arena_chunk {
    nh_arena_chunk *next;
    size_t used, capacity;
    max_align_t memory[];
};

static nh_arena_chunk *chunk_new(size_t capacity)
{
    if (capacity > SIZE_MAX - sizeof(nh_arena_chunk))
        return NULL;
    nh_arena_chunk *chunk = calloc(1, sizeof *chunk + capacity);
    if (chunk)
        chunk->capacity = capacity;
    return chunk;
}

static size_t next_capacity(const nh_arena_chunk *chunk)
{
    if (!chunk)
        return FIRST_CHUNK;
    return chunk->capacity < LARGEST_CHUNK / 2 ? 2 * chunk->capacity : LARGEST_CHUNK;
}

/* A chunk with room for `bytes`. A large piece gets a chunk of its own behind the first, whose free room stays in use.
 */
static nh_arena_chunk *chunk_with_room(nh_arena *arena, size_t bytes)
{
    nh_arena_chunk *first = arena->chunk;
    if (first && bytes <= first->capacity - first->used)
        return first;

    size_t usual = next_capacity(first);
    bool large = bytes > usual / 4;
    nh_arena_chunk *chunk = chunk_new(large ? bytes : usual);
    if (!chunk)
        return NULL;
    nh_arena_chunk **link = large && first ? &first->next : &arena->chunk;
    chunk->next = *link;
    *link = chunk;
    return chunk;
}

void *nh_arena_alloc(nh_arena *arena, size_t bytes)
{
    const size_t unit = _Alignof(max_align_t);
    nh_arena_chunk *chunk = NULL;
    size_t rounded = bytes / unit * unit + (bytes % unit ? unit : 0);
    if (rounded >= bytes) /* else the sum wrapped around */
        chunk = chunk_with_room(arena, rounded);
    if (!chunk) {
        arena->failed = true;
        return NULL;
    }
    void *piece = (char *)chunk->memory + chunk->used;
    chunk->used += rounded;
    return piece;
}

void *nh_arena_array(nh_arena *arena, size_t count, size_t item_size)
{
    if (item_size && count > SIZE_MAX / item_size) {
        arena->failed = true;
        return NULL;
    }
    return nh_arena_alloc(arena, count * item_size);
}

char *nh_arena_text(nh_arena *arena, const char *text, size_t length)
{
    char *copy = nh_arena_array(arena, length + (length < SIZE_MAX), 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

void nh_arena_free(nh_arena *arena)
{
    for (nh_arena_chunk *chunk = arena->chunk, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *arena = (nh_arena){0};
}

bool nh_grow(void *items_pointer, size_t *capacity, size_t count, size_t item_size)
{
    if (count < *capacity)
        return true;
    if (count > SIZE_MAX / 2 / item_size - 8)
        return false;
    size_t wanted = count < 8 ? 8 : 2 * count;
    void *items;
    memcpy(&items, items_pointer, sizeof items); /* a T** is not a void**: copying keeps the aliasing rules */
    items = realloc(items, wanted * item_size);
    if (!items)
        return false;
    memcpy(items_pointer, &items, sizeof items);
    *capacity = wanted;
    return true;
}
