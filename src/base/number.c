/* SPDX-License-Identifier: MIT */
/* Exact numbers. Products of 64-bit parts are formed in 128 bits, where they cannot overflow, then reduced. */
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

/* ---- Decimal literals ---- */

/* A literal is its significant digits, as an integer, times 10^exponent. */
typedef struct {
    const char *digits; /* from the first to the last that is not 0; a point may stand between them */
    size_t count;       /* characters there; 0: the literal is zero */
    int64_t exponent;
    bool huge;     /* the written exponent was too long to be read */
    size_t length; /* of the whole literal */
} literal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads e, sign and digits at text[at], if they are all there. */
static void scan_exponent(const char *text, size_t at, size_t limit, literal *out)
{
    const int64_t readable = INT64_C(1000000000000000);
    if (at >= limit || (text[at] != 'e' && text[at] != 'E'))
        return;
    at++;
    bool negative = at < limit && text[at] == '-';
    at += negative || (at < limit && text[at] == '+');
    int64_t value = 0;
    for (; at < limit && is_digit(text[at]); at++) {
        out->huge |= value >= readable;
        if (!out->huge)
            value = 10 * value + (text[at] - '0');
        out->length = at + 1;
    }
    out->exponent += negative ? -value : value;
}

static literal scan_literal(const char *text, size_t limit)
{
    size_t first = 0, last = 0, point = 0, at = 0;
    bool has_point = false, nonzero = false;
    for (; at < limit; at++) {
        if (text[at] == '.' && !has_point) {
            has_point = true;
            point = at;
        } else if (!is_digit(text[at])) {
            break;
        } else if (text[at] != '0') {
            first = nonzero ? first : at;
            last = at;
            nonzero = true;
        }
    }
    point = has_point ? point : at;
    literal out = {.digits = text + first, .count = nonzero ? last - first + 1 : 0, .length = at};
    out.exponent = (int64_t)point - (int64_t)last - (last < point);
    scan_exponent(text, at, limit, &out);
    return out;
}

/* Whether two literals other than zero have the same value. */
static bool same_literal(const char *a, const char *b)
{
    literal x = scan_literal(a, SIZE_MAX), y = scan_literal(b, SIZE_MAX);
    if (x.huge || y.huge)
        return x.length == y.length && !memcmp(a, b, x.length);
    if (x.exponent != y.exponent)
        return false;
    size_t i = 0, j = 0;
    while (i < x.count && j < y.count) {
        if (x.digits[i] == '.')
            i++;
        else if (y.digits[j] == '.')
            j++;
        else if (x.digits[i++] != y.digits[j++])
            return false;
    }
    return i == x.count && j == y.count;
}

/* ---- Literals as rationals ---- */

/* A rational p/q with p, q < 2^63 that is a decimal fraction has at most 62 digits after the point, namely those of
 * p/2^62, and its digits make an integer up to p 5^62 < 2^207. */
enum { LIMBS = 7, MOST_DECIMALS = 62, MOST_ZEROS = 18 };

typedef struct {
    uint32_t limb[LIMBS]; /* lowest first */
} wide;

static bool wide_append_digit(wide *x, uint32_t digit)
{
    uint64_t carry = digit;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)x->limb[i] * 10;
        x->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return carry == 0;
}

/* Divides in place and returns the remainder. */
static uint32_t wide_divide(wide *x, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        rest = rest << 32 | x->limb[i];
        x->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    return (uint32_t)rest;
}

/* Cancels common factors of x and divisor^power; returns the power that is left. */
static int wide_cancel(wide *x, uint32_t divisor, int power)
{
    for (; power > 0; power--) {
        wide quotient = *x;
        if (wide_divide(&quotient, divisor) != 0)
            break;
        *x = quotient;
    }
    return power;
}

static bool wide_to_int64(const wide *x, int64_t *out)
{
    uint32_t high = x->limb[1] >> 31;
    for (int i = 2; i < LIMBS; i++)
        high |= x->limb[i];
    *out = (int64_t)((uint64_t)(x->limb[1] & 0x7FFFFFFF) << 32 | x->limb[0]);
    return high == 0;
}

/* x *= base^power, unless it exceeds INT64_MAX. */
static bool scale(int64_t *x, int64_t base, int power)
{
    for (; power > 0; power--)
        if (__builtin_mul_overflow(*x, base, x))
            return false;
    return true;
}

static bool literal_to_rational(const literal *source, nh_number *out)
{
    if (source->huge || source->exponent < -MOST_DECIMALS || source->exponent > MOST_ZEROS)
        return false;
    wide digits = {{0}};
    for (size_t i = 0; i < source->count; i++)
        if (source->digits[i] != '.' && !wide_append_digit(&digits, (uint32_t)(source->digits[i] - '0')))
            return false;

    int power = (int)source->exponent;
    int twos = wide_cancel(&digits, 2, -power);
    int fives = wide_cancel(&digits, 5, -power);
    int64_t num, den = 1;
    if (!wide_to_int64(&digits, &num) || !scale(&num, 10, power) || !scale(&den, 2, twos) || !scale(&den, 5, fives))
        return false;
    *out = (nh_number){num, den, NULL};
    return true;
}

nh_number nh_number_parse(const char *text, size_t length)
{
    literal source = scan_literal(text, length);
    nh_number out = {0, 0, text};
    if (source.count == 0)
        return nh_number_integer(0);
    literal_to_rational(&source, &out);
    return out;
}

/* ---- Questions ---- */

nh_number nh_number_integer(int64_t value)
{
    return (nh_number){value, 1, NULL};
}

bool nh_number_is_rational(nh_number x)
{
    return x.den != 0;
}

bool nh_number_is(nh_number x, int64_t value)
{
    return x.den == 1 && x.num == value;
}

bool nh_number_is_integer(nh_number x, int64_t *value)
{
    if (x.den != 1)
        return false;
    *value = x.num;
    return true;
}

bool nh_number_equal(nh_number a, nh_number b)
{
    if (a.den == 0 && b.den == 0)
        return same_literal(a.decimal, b.decimal);
    return a.num == b.num && a.den == b.den;
}

/* ---- Arithmetic ---- */

static int128 magnitude(int128 x)
{
    return x < 0 ? -x : x;
}

static int128 greatest_common_divisor(int128 a, int128 b)
{
    while (b != 0) {
        int128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* num/den in lowest terms, if it fits. INT64_MIN is left out: its magnitude could not be read back as a literal. */
static bool reduce(int128 num, int128 den, nh_number *out)
{
    if (den == 0)
        return false;
    int128 divisor = den == 1 ? 1 : greatest_common_divisor(magnitude(num), magnitude(den));
    num /= den < 0 ? -divisor : divisor;
    den = magnitude(den) / divisor;
    if (magnitude(num) > INT64_MAX || den > INT64_MAX)
        return false;
    *out = (nh_number){(int64_t)num, (int64_t)den, NULL};
    return true;
}

static bool both_rational(nh_number a, nh_number b)
{
    return a.den != 0 && b.den != 0;
}

bool nh_number_add(nh_number a, nh_number b, nh_number *out)
{
    int128 num = (int128)a.num * b.den + (int128)b.num * a.den;
    return both_rational(a, b) && reduce(num, (int128)a.den * b.den, out);
}

bool nh_number_mul(nh_number a, nh_number b, nh_number *out)
{
    return both_rational(a, b) && reduce((int128)a.num * b.num, (int128)a.den * b.den, out);
}

bool nh_number_div(nh_number a, nh_number b, nh_number *out)
{
    return both_rational(a, b) && reduce((int128)a.num * b.den, (int128)a.den * b.num, out);
}

bool nh_number_pow(nh_number a, int64_t exponent, nh_number *out)
{
    nh_number result = nh_number_integer(1), base = a;
    if (a.den == 0 || (exponent < 0 && !nh_number_div(result, a, &base)))
        return false;
    uint64_t left = exponent < 0 ? 0 - (uint64_t)exponent : (uint64_t)exponent;
    for (; left != 0; left >>= 1) {
        if ((left & 1) && !nh_number_mul(result, base, &result))
            return false;
        /* A square that is not needed any more must not make the power fail. */
        if (left > 1 && !nh_number_mul(base, base, &base))
            return false;
    }
    *out = result;
    return true;
}

/* ---- Rounding and printing ---- */

static int leading_zeros(uint64_t x)
{
    int count = 0;
    for (; !(x >> 63); x <<= 1)
        count++;
    return count;
}

/* Rounds num/den, both positive, once: a quotient of 65 bits or more whose lowest bit also stands for a remainder. */
static double divide_rounding_once(uint64_t num, uint64_t den)
{
    int shift = 64 + leading_zeros(num);
    uint128 scaled = (uint128)num << shift;
    uint128 quotient = scaled / den;
    quotient |= scaled % den != 0;
    return ldexp((double)quotient, -shift);
}

double nh_number_double(nh_number x)
{
    const int64_t exact = INT64_C(1) << 53; /* integers up to here are doubles */
    if (x.den == 0)
        return nh_double_parse(x.decimal, NULL);
    if (x.den == 1 || (x.den <= exact && x.num <= exact && x.num >= -exact))
        return (double)x.num / (double)x.den;
    double size = divide_rounding_once((uint64_t)magnitude(x.num), (uint64_t)x.den);
    return x.num < 0 ? -size : size;
}

nh_quad nh_number_quad(nh_number x)
{
    if (x.den == 0)
        return nh_quad_parse(x.decimal, NULL);
    return (nh_quad)x.num / (nh_quad)x.den; /* both are exact in 64 bits or more */
}

/* How often `factor` divides *x, which is divided. */
static int take_out(int64_t *x, int64_t factor)
{
    int count = 0;
    for (; *x % factor == 0; *x /= factor)
        count++;
    return count;
}

/* Writes digits / 10^decimals: with a point, or with an exponent where many zeros would follow the point. */
static void write_decimal(char *buffer, size_t size, const char *sign, int64_t digits, int decimals)
{
    enum { MOST_LEADING_ZEROS = 3 };
    char text[32];
    int length = snprintf(text, sizeof text, "%" PRId64, digits);
    if (decimals - length > MOST_LEADING_ZEROS)
        snprintf(buffer, size, "%s%c%s%se-%d", sign, text[0], length > 1 ? "." : "", text + 1, decimals - length + 1);
    else if (decimals >= length)
        snprintf(buffer, size, "%s0.%.*s%s", sign, decimals - length, "000", text);
    else
        snprintf(buffer, size, "%s%.*s.%s", sign, length - decimals, text, text + length - decimals);
}

/* Writes x exactly as a decimal fraction, if its denominator and its size allow that. */
static bool write_as_decimal(char *buffer, size_t size, nh_number x)
{
    if (x.num == INT64_MIN)
        return false;
    int64_t rest = x.den, digits = x.num < 0 ? -x.num : x.num;
    int twos = take_out(&rest, 2), fives = take_out(&rest, 5);
    int decimals = twos > fives ? twos : fives;
    if (rest != 1 || !scale(&digits, 2, decimals - twos) || !scale(&digits, 5, decimals - fives))
        return false;
    write_decimal(buffer, size, x.num < 0 ? "-" : "", digits, decimals);
    return true;
}

void nh_number_print(nh_number x, nh_text *out)
{
    const size_t tolerated = 2; /* 0.125 although 1/8 is shorter, but 1/1024 */
    char fraction[64], decimal[64];
    if (x.den == 0) {
        nh_text_bytes(out, x.decimal, scan_literal(x.decimal, SIZE_MAX).length);
        return;
    }
    if (x.den == 1) {
        nh_text_add(out, "%" PRId64, x.num);
        return;
    }
    snprintf(fraction, sizeof fraction, "%" PRId64 "/%" PRId64, x.num, x.den);
    bool short_decimal =
        write_as_decimal(decimal, sizeof decimal, x) && strlen(decimal) <= strlen(fraction) + tolerated;
    nh_text_add(out, "%s", short_decimal ? decimal : fraction);
}
