/* SPDX-License-Identifier: MIT */
/* Each 64-bit word, read as little-endian on every machine, is folded into the state by the finaliser of MurmurHash3,
 * which is a bijection with full avalanche. Not for adversaries. */
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>

static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio: keeps zeros from staying zero */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

/* Up to 8 bytes, the missing ones zero. */
static uint64_t read_word(const unsigned char *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

uint64_t nh_hash64(const void *bytes, size_t count, uint64_t seed)
{
    const unsigned char *at = bytes;
    uint64_t state = mix(seed + golden);
    size_t left = count;
    for (; left >= 8; left -= 8, at += 8)
        state = mix(state ^ read_word(at, 8)) + golden;
    state = mix(state ^ read_word(at, left)) + golden;
    return mix(state ^ count);
}

void nh_hash_hex(const void *bytes, size_t count, char hex[33])
{
    snprintf(hex, 33, "%016" PRIx64 "%016" PRIx64, nh_hash64(bytes, count, 1), nh_hash64(bytes, count, 2));
}
