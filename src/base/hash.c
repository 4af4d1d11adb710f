/* SPDX-License-Identifier: MIT */
/* Each 64-bit word, read as little-endian on every machine, is folded into the state by the finaliser of MurmurHash3,
 * which is a bijection with full avalanche. Not for adversaries. */
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio: keeps zeros from staying zero */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

/* 8 bytes in one load: graphs and checkpoints spend their time here. */
static uint64_t read_word(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(word) : word;
}

uint64_t nh_hash64(const void *bytes, size_t count, uint64_t seed)
{
    const unsigned char *at = bytes;
    unsigned char rest[8] = {0};
    uint64_t state = mix(seed + golden);
    size_t left = count;
    for (; left >= 8; left -= 8, at += 8)
        state = mix(state ^ read_word(at)) + golden;
    if (left > 0)
        memcpy(rest, at, left);
    state = mix(state ^ read_word(rest)) + golden;
    return mix(state ^ count);
}

void nh_hash_hex(const void *bytes, size_t count, char hex[33])
{
    snprintf(hex, 33, "%016" PRIx64 "%016" PRIx64, nh_hash64(bytes, count, 1), nh_hash64(bytes, count, 2));
}
