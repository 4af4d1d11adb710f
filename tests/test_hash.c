/* SPDX-License-Identifier: MIT */
/* Maps and hashes. */
#include "test.h"

#include "base/hash.h"
#include "base/map.h"

#include <stdint.h>
#include <stdlib.h>

static void check_map(uint32_t stride)
{
    enum { KEYS = 100000 };
    nh_map map = {0};
    int wrong = 0;
    CHECK_EQ_INT(nh_map_get(&map, 7), 0);
    for (uint32_t i = 0; i < KEYS; i++)
        nh_map_set(&map, i * stride, i + 1);
    for (uint32_t i = 0; i < KEYS; i += 2)
        nh_map_set(&map, i * stride, i + 5);
    for (uint32_t i = 0; i < KEYS; i++)
        wrong += nh_map_get(&map, i * stride) != (i % 2 ? i + 1 : i + 5);
    CHECK_EQ_INT(wrong, 0);
    CHECK_EQ_INT(map.count, KEYS);
    CHECK_EQ_INT(nh_map_get(&map, KEYS * stride), 0);
    CHECK(!map.failed);
    nh_map_free(&map);
    CHECK_EQ_INT(nh_map_get(&map, stride), 0);
}

TEST(map_strides)
{
    check_map(1);
    check_map(64);
    check_map(UINT32_C(40503));
}

TEST(map_extreme_keys)
{
    nh_map map = {0};
    nh_map_set(&map, 0, 5);
    nh_map_set(&map, UINT32_MAX - 1, UINT32_MAX);
    CHECK_EQ_INT(nh_map_get(&map, 0), 5);
    CHECK_EQ_INT(nh_map_get(&map, UINT32_MAX - 1), UINT32_MAX);
    nh_map_set(&map, 0, 0);
    CHECK_EQ_INT(nh_map_get(&map, 0), 0);
    CHECK_EQ_INT(nh_map_get(&map, UINT32_MAX), 0);
    CHECK(!map.failed);
    nh_map_set(&map, UINT32_MAX, 1);
    CHECK(map.failed);
    nh_map_free(&map);
}

/* The values are fixed: cache keys and golden hashes must be the same on every machine. */
TEST(hash_values)
{
    char hex[33];
    CHECK(nh_hash64("", 0, 0) == UINT64_C(0xDDEC1F552CE17CBB));
    CHECK(nh_hash64("nonholonomic", 12, 7) == UINT64_C(0x234EC566262A142F));
    for (int i = 1; i < 8; i++) { /* wherever the bytes are */
        char text[32] = {0};
        memcpy(text + i, "nonholonomic", 12);
        CHECK(nh_hash64(text + i, 12, 7) == UINT64_C(0x234EC566262A142F));
    }
    nh_hash_hex("nonholonomic", 12, hex);
    CHECK_STR(hex, "c9a341c9897b40ec74bd37007c3329a9");
    nh_hash_hex(NULL, 0, hex);
    CHECK_EQ_INT(strlen(hex), 32);
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Zeros of each length, and short counters in each position, must not collide. */
TEST(hash_collisions)
{
    enum { ZEROS = 100, COUNTERS = 50000, COUNT = ZEROS + 2 * COUNTERS };
    static uint64_t hashes[COUNT];
    unsigned char bytes[ZEROS] = {0};
    size_t n = 0;
    for (size_t length = 0; length < ZEROS; length++)
        hashes[n++] = nh_hash64(bytes, length, 0);
    for (uint32_t i = 1; i <= COUNTERS; i++) {
        uint32_t words[6] = {i, 0, 0, 0, 0, i};
        hashes[n++] = nh_hash64(words, 20, 0);
        hashes[n++] = nh_hash64(words + 1, 20, 0);
    }
    qsort(hashes, n, sizeof *hashes, compare_hashes);
    int same = 0;
    for (size_t i = 1; i < n; i++)
        same += hashes[i] == hashes[i - 1];
    CHECK_EQ_INT(same, 0);
}

/* Each flipped bit of the input flips about half of the output. */
TEST(hash_avalanche)
{
    unsigned char bytes[21] = "some bytes to hash..";
    uint64_t reference = nh_hash64(bytes, 21, 3);
    int flips = 0;
    for (int bit = 0; bit < 21 * 8; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        flips += __builtin_popcountll(reference ^ nh_hash64(bytes, 21, 3));
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CHECK_NEAR(flips / (21.0 * 8), 32, 1);
    CHECK(nh_hash64(bytes, 21, 4) != reference);
}

TEST_MAIN(RUN(map_strides), RUN(map_extreme_keys), RUN(hash_values), RUN(hash_collisions), RUN(hash_avalanche))
