/* SPDX-License-Identifier: MIT */
/* Sine and cosine by + - * alone (base/angle.h), against quadruple precision. */
#include "base/random.h"
#include "expr/math.h"
#include "test.h"

#include <math.h>

static const nh_math_row *row_of(nh_function f)
{
    return &nh_math_get()->row[f];
}

/* The error of both at x, the larger one, in units in the last place of the exact value. */
static double units_at(double x)
{
    static const nh_function both[] = {NH_F_sin, NH_F_cos};
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        const nh_quad exact = row_of(both[i])->quad_one(x), error = row_of(both[i])->one(x) - exact;
        const double last = ldexp(1, (int)fmax(ilogb((double)exact), -1022) - 52);
        worst = fmax(worst, fabs((double)error) / last);
    }
    return worst;
}

static double draw(uint64_t member, uint32_t variable)
{
    return nh_random_uniform((nh_draw_key){.seed = 1, .member = member, .variable = variable});
}

/* Of all sizes, from tiny to far. */
TEST(the_error_is_below_a_unit_in_the_last_place)
{
    double worst = 0;
    for (uint64_t i = 0; i < 200000; i++) {
        const double size = ldexp(1 + draw(i, 0), (int)(30 * draw(i, 1)) - 6);
        worst = fmax(worst, units_at(draw(i, 2) < 0.5 ? -size : size));
    }
    for (int e = -1074; e < 1024; e++)
        worst = fmax(worst, units_at(ldexp(1 + draw((uint64_t)(e + 1074), 3), e)));
    CHECK_NEAR(worst, 0, 0.9);
}

/* Where r is tiny: doubles next to multiples of pi/2. */
TEST(multiples_of_a_quarter_are_no_exception)
{
    const nh_quad quarter = nh_quad_parse("1.57079632679489661923132169163975144210", NULL);
    double worst = 0;
    for (int k = 1; k < 700000; k += k < 1000 ? 1 : 13) {
        const double x = (double)(k * quarter);
        worst = fmax(worst, fmax(units_at(x), fmax(units_at(nextafter(x, 0)), units_at(-nextafter(x, INFINITY)))));
    }
    CHECK_NEAR(worst, 0, 0.9);
}

TEST(special_values)
{
    CHECK(row_of(NH_F_sin)->one(0) == 0 && !signbit(row_of(NH_F_sin)->one(0)));
    CHECK(row_of(NH_F_sin)->one(-0.0) == 0 && signbit(row_of(NH_F_sin)->one(-0.0)));
    CHECK(row_of(NH_F_cos)->one(-0.0) == 1);
    CHECK(row_of(NH_F_sin)->one(0x1p-1074) == 0x1p-1074);
    CHECK(isnan(row_of(NH_F_sin)->one(INFINITY)) && isnan(row_of(NH_F_cos)->one(-INFINITY)));
    CHECK(isnan(row_of(NH_F_sin)->one(NAN)) && isnan(row_of(NH_F_cos)->one(NAN)));
}

/* Odd and even, and a pair is two; far lanes, and those that are no numbers, do not disturb their neighbours. */
TEST(a_pair_is_two)
{
    static const double other[] = {0.5, 1e7, INFINITY, NAN, -3, 1e300};
    for (uint64_t i = 0; i < 10000; i++) {
        const double x = 100 * draw(i, 4) - 50;
        const nh_pair pair = {x, other[i % 6]}, sines = row_of(NH_F_sin)->pair_one(pair),
                      cosines = row_of(NH_F_cos)->pair_one(pair);
        const double one[] = {row_of(NH_F_sin)->one(x), row_of(NH_F_sin)->one(other[i % 6])};
        const double two[] = {row_of(NH_F_cos)->one(x), row_of(NH_F_cos)->one(other[i % 6])};
        CHECK(sines[0] == one[0] && (sines[1] == one[1] || isnan(one[1])) && isnan(sines[1]) == isnan(one[1]));
        CHECK(cosines[0] == two[0] && (cosines[1] == two[1] || isnan(two[1])) && isnan(cosines[1]) == isnan(two[1]));
        CHECK(row_of(NH_F_sin)->one(-x) == -one[0] && row_of(NH_F_cos)->one(-x) == two[0]);
    }
}

TEST_MAIN(RUN(the_error_is_below_a_unit_in_the_last_place), RUN(multiples_of_a_quarter_are_no_exception),
          RUN(special_values), RUN(a_pair_is_two))
