/* SPDX-License-Identifier: MIT */
#include "base/fraction.h"

static size_t digits(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && text[count] >= '0' && text[count] <= '9')
        count++;
    return count;
}

/* Length of an unsigned literal like 12, 0.5, .5, 1.5e-3; 0 if there is none. */
static size_t literal_length(const char *text, size_t length)
{
    size_t used = digits(text, length), count = used;
    if (used < length && text[used] == '.') {
        size_t decimals = digits(text + used + 1, length - used - 1);
        count += decimals;
        used += 1 + decimals;
    }
    if (count == 0)
        return 0;
    if (used < length && (text[used] == 'e' || text[used] == 'E')) {
        size_t exponent = used + 1;
        exponent += exponent < length && (text[exponent] == '+' || text[exponent] == '-');
        size_t size = digits(text + exponent, length - exponent);
        used = size ? exponent + size : used;
    }
    return used;
}

bool nh_fraction_parse(const char *text, size_t length, nh_fraction *out)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
    size_t used = literal_length(text + at, length - at);
    if (used == 0)
        return false;
    out->negative = text[0] == '-';
    out->top = nh_number_parse(text + at, used);
    out->bottom = nh_number_integer(1);
    at += used;
    if (at < length && text[at] == '/') {
        at++;
        used = literal_length(text + at, length - at);
        if (used == 0)
            return false;
        out->bottom = nh_number_parse(text + at, used);
        at += used;
    }
    return at == length;
}

nh_quad nh_fraction_quad(const nh_fraction *x)
{
    nh_number quotient;
    bool exact = nh_number_div(x->top, x->bottom, &quotient);
    nh_quad value = exact ? nh_number_quad(quotient) : nh_number_quad(x->top) / nh_number_quad(x->bottom);
    return x->negative ? -value : value;
}

bool nh_fraction_is_integer(const nh_fraction *x, int64_t *value)
{
    nh_number quotient;
    if (!nh_number_div(x->top, x->bottom, &quotient) || !nh_number_is_integer(quotient, value))
        return false;
    *value = x->negative ? -*value : *value;
    return true;
}
