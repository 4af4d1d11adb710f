/* SPDX-License-Identifier: MIT */
/* Map from 32-bit keys to 32-bit values; the memo of every graph traversal. Value 0 means "absent"; key UINT32_MAX is
 * not allowed, and setting it counts as a failure. */
#ifndef NH_BASE_MAP_H
#define NH_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct nh_map {
    uint32_t *slots; /* key + 1, value */
    uint32_t capacity, count;
    bool failed;
} nh_map; /* all zero is the empty map */

uint32_t nh_map_get(const nh_map *map, uint32_t key);
void nh_map_set(nh_map *map, uint32_t key, uint32_t value);
void nh_map_free(nh_map *map);

#endif
