/* SPDX-License-Identifier: MIT */
#include "expr/affine.h"

nh_affine nh_affine_constant(int64_t value)
{
    return (nh_affine){.constant = (int32_t)value};
}

nh_affine nh_affine_index(int index)
{
    return (nh_affine){.terms = 1, .term = {{.index = index, .factor = 1}}};
}

static bool fits(int64_t x)
{
    return x >= INT32_MIN && x <= INT32_MAX;
}

/* a + scale·b, merging the two sorted lists of terms. Products of 32-bit numbers cannot overflow 64 bits. */
static bool combine(nh_affine a, nh_affine b, int64_t scale, nh_affine *out)
{
    int64_t constant = a.constant + scale * b.constant;
    nh_affine sum = {.constant = (int32_t)constant};
    bool good = fits(scale) && fits(constant);
    for (int i = 0, j = 0; good && (i < a.terms || j < b.terms);) {
        bool from_a = j == b.terms || (i < a.terms && a.term[i].index <= b.term[j].index);
        bool from_b = i == a.terms || (j < b.terms && b.term[j].index <= a.term[i].index);
        int32_t index = from_a ? a.term[i].index : b.term[j].index;
        int64_t factor = (from_a ? a.term[i++].factor : 0) + (from_b ? scale * b.term[j++].factor : 0);
        if (factor == 0)
            continue;
        good = fits(factor) && sum.terms < NH_AFFINE_TERMS;
        if (good) {
            sum.term[sum.terms].index = index;
            sum.term[sum.terms++].factor = (int32_t)factor;
        }
    }
    if (good)
        *out = sum;
    return good;
}

bool nh_affine_add(nh_affine a, nh_affine b, nh_affine *out)
{
    return combine(a, b, 1, out);
}

bool nh_affine_scale(nh_affine a, int64_t factor, nh_affine *out)
{
    return fits(factor) && combine(nh_affine_constant(0), a, factor, out);
}

bool nh_affine_replace(nh_affine a, int index, nh_affine by, nh_affine *out)
{
    int32_t factor = nh_affine_factor(a, index);
    nh_affine rest;
    return combine(a, nh_affine_index(index), -(int64_t)factor, &rest) && combine(rest, by, factor, out);
}

int32_t nh_affine_factor(nh_affine a, int index)
{
    for (int i = 0; i < a.terms; i++)
        if (a.term[i].index == index)
            return a.term[i].factor;
    return 0;
}

bool nh_affine_equal(nh_affine a, nh_affine b)
{
    nh_affine difference;
    return combine(a, b, -1, &difference) && difference.terms == 0 && difference.constant == 0;
}

uint64_t nh_affine_indices(nh_affine a)
{
    uint64_t bits = 0;
    for (int i = 0; i < a.terms; i++)
        bits |= UINT64_C(1) << a.term[i].index;
    return bits;
}

int64_t nh_affine_value(nh_affine a, const int64_t *index_values)
{
    int64_t value = a.constant;
    for (int i = 0; i < a.terms; i++)
        value += a.term[i].factor * index_values[a.term[i].index];
    return value;
}
