/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include <math.h>

static void multiply(uint32_t a, uint32_t b, uint32_t *high, uint32_t *low)
{
    const uint64_t product = (uint64_t)a * b;
    *high = (uint32_t)(product >> 32);
    *low = (uint32_t)product;
}

void nh_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    enum { ROUNDS = 10 };
    uint32_t x[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t high0, low0, high1, low1;
        multiply(UINT32_C(0xD2511F53), x[0], &high0, &low0);
        multiply(UINT32_C(0xCD9E8D57), x[2], &high1, &low1);
        x[0] = high1 ^ x[1] ^ k[0];
        x[1] = low1;
        x[2] = high0 ^ x[3] ^ k[1];
        x[3] = low0;
        k[0] += UINT32_C(0x9E3779B9);
        k[1] += UINT32_C(0xBB67AE85);
    }
    for (int i = 0; i < 4; i++)
        out[i] = x[i];
}

/* Two numbers in (0, 1); `again` for a method that may need several pairs. */
static void draw_pair(nh_draw_key key, uint32_t again, double pair[2])
{
    const uint32_t seed[2] = {(uint32_t)key.seed, (uint32_t)(key.seed >> 32)};
    const uint32_t counter[4] = {key.variable, key.attempt << 8 | (again & 0xFF), (uint32_t)key.member,
                                 (uint32_t)(key.member >> 32)};
    uint32_t word[4];
    nh_philox(counter, seed, word);
    for (int i = 0; i < 2; i++) {
        const uint64_t bits = (uint64_t)word[2 * i] << 32 | word[2 * i + 1];
        pair[i] = ((double)(bits >> 12) + 0.5) * 0x1p-52;
    }
}

double nh_random_uniform(nh_draw_key key)
{
    double pair[2];
    draw_pair(key, 0, pair);
    return pair[0];
}

/* ln x for normal x > 0, to some units in the last place: that of a C library would differ from another's. */
static double logarithm(double x)
{
    int exponent;
    double m = frexp(x, &exponent), sum = 0;
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    const double z = (m - 1) / (m + 1), square = z * z;
    for (int k = 23; k >= 1; k -= 2)
        sum = sum * square + 1.0 / k;
    return exponent * 0.69314718055994531 + 2 * z * sum;
}

double nh_random_normal(nh_draw_key key)
{
    double pair[2], x = 0, square = 0;
    for (uint32_t again = 0; !(square > 0 && square < 1); again++) {
        draw_pair(key, again, pair);
        x = 2 * pair[0] - 1;
        const double y = 2 * pair[1] - 1;
        square = x * x + y * y;
    }
    return x * sqrt(-2 * logarithm(square) / square);
}
