/* SPDX-License-Identifier: MIT */
/* Text and roots of quads. */
#define _POSIX_C_SOURCE 200809L /* uselocale */

#include "base/quad.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __APPLE__
#include <xlocale.h>
#endif

#if NH_QUAD_IS_FLOAT128
/* Declared here because glibc hides them from clang, which knows __float128 but not _Float128. */
nh_quad strtof128(const char *restrict text, char **restrict end);
int strfromf128(char *restrict buffer, size_t size, const char *restrict format, nh_quad x);
nh_quad sqrtf128(nh_quad x);
nh_quad fabsf128(nh_quad x);
#else
#define strtof128 strtold
#define sqrtf128  sqrtl
#define fabsf128  fabsl
#endif

/* The host program may have set a locale with a decimal comma: this thread leaves it for the time of a conversion. */
#if defined __linux__ || defined __APPLE__
typedef struct {
    locale_t plain, saved;
} locale_guard;

static locale_guard enter_plain_locale(void)
{
    locale_guard guard = {newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), (locale_t)0};
    if (guard.plain)
        guard.saved = uselocale(guard.plain);
    return guard;
}

static void leave_plain_locale(locale_guard guard)
{
    if (!guard.plain)
        return;
    uselocale(guard.saved);
    freelocale(guard.plain);
}
#else
typedef int locale_guard;

static locale_guard enter_plain_locale(void)
{
    return 0;
}

static void leave_plain_locale(locale_guard guard)
{
    (void)guard;
}
#endif

nh_quad nh_quad_parse(const char *text, char **end)
{
    locale_guard guard = enter_plain_locale();
    nh_quad x = strtof128(text, end);
    leave_plain_locale(guard);
    return x;
}

double nh_double_parse(const char *text, char **end)
{
    locale_guard guard = enter_plain_locale();
    double x = strtod(text, end);
    leave_plain_locale(guard);
    return x;
}

/* Scientific notation with `digits` significant digits. */
static void print_digits(char *buffer, size_t size, int digits, nh_quad x)
{
#if NH_QUAD_IS_FLOAT128
    char format[16];
    snprintf(format, sizeof format, "%%.%de", digits - 1); /* strfromf128 takes no '*' */
    strfromf128(buffer, size, format, x);
#else
    snprintf(buffer, size, "%.*Le", digits - 1, x);
#endif
}

/* 1.500e+00 becomes 1.5e+00, and 1.000e+00 becomes 1e+00. */
static void strip_zeros(char *text)
{
    char *exponent = strchr(text, 'e');
    if (!exponent)
        return;
    char *end = exponent;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    memmove(end, exponent, strlen(exponent) + 1);
}

int nh_quad_format(char *buffer, unsigned long size, nh_quad x)
{
    char text[NH_QUAD_DIGITS + 16];
    if (x != x)
        return snprintf(buffer, size, "nan"); /* the C library might give it a sign */
    locale_guard guard = enter_plain_locale();
    print_digits(text, sizeof text, NH_QUAD_DIGITS - 2, x);
    if (strtof128(text, NULL) != x)
        print_digits(text, sizeof text, NH_QUAD_DIGITS, x);
    leave_plain_locale(guard);
    strip_zeros(text);
    return snprintf(buffer, size, "%s", text);
}

/* Written and read in the thread's own locale, whose decimal point is replaced: entering another one takes longer. */
int nh_double_format(char *buffer, unsigned long size, double x)
{
    char text[40];
    if (x != x)
        return snprintf(buffer, size, "nan"); /* the C library might give it a sign */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    const char *point = localeconv()->decimal_point;
    char *found = strcmp(point, ".") ? strstr(text, point) : NULL;
    if (found) {
        *found = '.';
        memmove(found + 1, found + strlen(point), strlen(found + strlen(point)) + 1);
    }
    return snprintf(buffer, size, "%s", text);
}

nh_quad nh_quad_sqrt(nh_quad x)
{
    return sqrtf128(x);
}

nh_quad nh_quad_abs(nh_quad x)
{
    return fabsf128(x);
}
