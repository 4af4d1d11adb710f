/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing in a table of 2^k slots that is at most half full. */
#include "base/map.h"

#include <stddef.h>
#include <stdlib.h>

/* The slot of a key, or the empty slot where it belongs. Fibonacci hashing: the top k bits of key * 2^32 / golden
 * ratio. */
static uint32_t *find_slot(uint32_t *slots, uint32_t capacity, uint32_t key)
{
    uint32_t scattered = key * UINT32_C(2654435769);
    uint32_t i = (uint32_t)((uint64_t)scattered * capacity >> 32);
    while (slots[2 * (size_t)i] != 0 && slots[2 * (size_t)i] != key + 1)
        i = (i + 1) & (capacity - 1);
    return slots + 2 * (size_t)i;
}

static bool grow(nh_map *map)
{
    uint32_t capacity = map->capacity ? 2 * map->capacity : 16;
    uint32_t *slots = capacity ? calloc(capacity, 2 * sizeof *slots) : NULL;
    if (!slots)
        return false;
    for (size_t i = 0; i < map->capacity; i++) {
        const uint32_t *old = map->slots + 2 * i;
        if (!old[0])
            continue;
        uint32_t *slot = find_slot(slots, capacity, old[0] - 1);
        slot[0] = old[0];
        slot[1] = old[1];
    }
    free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
    return true;
}

uint32_t nh_map_get(const nh_map *map, uint32_t key)
{
    if (!map->capacity || key == UINT32_MAX)
        return 0;
    return find_slot(map->slots, map->capacity, key)[1];
}

void nh_map_set(nh_map *map, uint32_t key, uint32_t value)
{
    if (key == UINT32_MAX || (map->count >= map->capacity / 2 && !grow(map))) {
        map->failed = true;
        return;
    }
    uint32_t *slot = find_slot(map->slots, map->capacity, key);
    map->count += !slot[0];
    slot[0] = key + 1;
    slot[1] = value;
}

void nh_map_free(nh_map *map)
{
    free(map->slots);
    *map = (nh_map){0};
}
