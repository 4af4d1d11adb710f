/* SPDX-License-Identifier: MIT */
/* Quadruple precision: __float128 with glibc's f128 functions where they exist, long double elsewhere. */
#ifndef NH_BASE_QUAD_H
#define NH_BASE_QUAD_H

#include <limits.h> /* any header of glibc defines __GLIBC__ */

/* glibc has the f128 functions on x86-64 since 2.26; on most other 64-bit Linux machines long double is binary128. */
#if defined __x86_64__ && defined __SIZEOF_FLOAT128__ && defined __GLIBC__
#if __GLIBC_PREREQ(2, 26)
#define NH_QUAD_IS_FLOAT128 1
#endif
#endif
#ifndef NH_QUAD_IS_FLOAT128
#define NH_QUAD_IS_FLOAT128 0
#endif

#if NH_QUAD_IS_FLOAT128
__extension__ typedef __float128 nh_quad;
#else
typedef long double nh_quad;
#endif

#define NH_QUAD_DIGITS 36 /* significant decimal digits that read back exactly */

/* As strtod does for a double, but with a decimal point in every locale. */
nh_quad nh_quad_parse(const char *text, char **end);
double nh_double_parse(const char *text, char **end);
/* 34 digits, or 36 where 34 do not read back exactly, without trailing zeros, like 1.5e+00; inf, nan. With a decimal
 * point in every locale. Returns the length as snprintf does. */
int nh_quad_format(char *buffer, unsigned long size, nh_quad x);
/* The shortest of 15 to 17 digits that reads back exactly; in the same way. */
int nh_double_format(char *buffer, unsigned long size, double x);
nh_quad nh_quad_sqrt(nh_quad x);
nh_quad nh_quad_abs(nh_quad x);

#endif
