/* SPDX-License-Identifier: MIT */
/* Statistics of numbers of which some are missing; the order that quantiles are read from. */
#include "test.h"

#include "ensemble/statistics.h"

#include <float.h>

TEST(statistics)
{
    const double x[] = {3, (double)NAN, 1, 2, 5, 4};
    double room[6];
    nh_statistics s;
    nh_statistics_of(x, 6, room, &s);
    CHECK_EQ_INT(s.count, 5);
    CHECK_NEAR(s.mean, 3, 0);
    CHECK_NEAR(s.variance, 2.5, 0);
    CHECK_NEAR(s.mean_square, 11, 0);
    CHECK(s.smallest == 1 && s.largest == 5);
    CHECK_NEAR(s.quantile[0], 1.2, 1e-15);
    CHECK_NEAR(s.quantile[1], 2, 0);
    CHECK_NEAR(s.quantile[2], 3, 0);
    CHECK_NEAR(s.quantile[4], 4.8, 1e-15);
    nh_statistics_of(x + 1, 1, room, &s);
    CHECK_EQ_INT(s.count, 0);
    CHECK(isnan(s.mean) && isnan(s.quantile[2]));
    nh_statistics_of(x + 1, 2, room, &s); /* one number says nothing of a variance */
    CHECK_EQ_INT(s.count, 1);
    CHECK(s.mean == 1 && s.mean_square == 1 && s.smallest == 1 && s.quantile[0] == 1 && isnan(s.variance));
    double many[1000], space[1000];
    for (int i = 0; i < 1000; i++)
        many[i] = (double)(i * 617 % 1000); /* all numbers below 1000 */
    nh_statistics_of(many, 1000, space, &s);
    for (int i = 0; i < 1000; i++)
        CHECK(space[i] == i);
}

/* What is beside an infinity is a number, and so is a quantile there. */
TEST(infinities)
{
    const double inf = (double)INFINITY, one_side[] = {-1, inf, 1.0 / 3, 1, 0.5}, both[] = {-inf, -inf, 2, 3, inf, inf};
    double room[6];
    nh_statistics s;
    nh_statistics_of(one_side, 5, room, &s);
    CHECK_EQ_INT(s.count, 5);
    CHECK(s.quantile[1] == 1.0 / 3 && s.quantile[2] == 0.5 && s.quantile[3] == 1 && s.quantile[4] == inf);
    CHECK(s.smallest == -1 && s.largest == inf);
    nh_statistics_of(both, 6, room, &s);
    CHECK(s.quantile[0] == -inf && s.quantile[1] == -inf && s.quantile[2] == 2.5);
    CHECK(s.quantile[3] == inf && s.quantile[4] == inf);
    const double ends[] = {-inf, inf};
    nh_statistics_of(ends, 2, room, &s);
    CHECK(isnan(s.quantile[2]) && s.smallest == -inf && s.largest == inf);
}

/* Differences, sums and squares of doubles may be none where the statistic is one. */
TEST(as_large_as_doubles_are)
{
    const double sides[] = {-1.5e308, 1.6e308}, large[] = {1.5e308, 1.6e308, 1.7e308},
                 squares[] = {-1e154, 1e154, 1e154};
    double room[1000], largest[1000];
    nh_statistics s;
    nh_statistics_of(sides, 2, room, &s);
    CHECK_NEAR(s.quantile[0] / 1e308, -1.345, 1e-15);
    CHECK_NEAR(s.quantile[2] / 1e308, 0.05, 1e-15);
    CHECK_NEAR(s.quantile[4] / 1e308, 1.445, 1e-15);
    nh_statistics_of(large, 3, room, &s);
    CHECK_NEAR(s.mean / 1e308, 1.6, 1e-15);
    nh_statistics_of(squares, 3, room, &s);
    CHECK_NEAR(s.mean_square / 1e308, 1, 1e-15);
    CHECK_NEAR(s.variance / 1e308, 4.0 / 3, 1e-15);
    for (int count = 1; count <= 1000; count++) {
        largest[count - 1] = DBL_MAX;
        nh_statistics_of(largest, count, room, &s);
        if (!CHECK(s.mean <= DBL_MAX))
            break;
    }
}

TEST_MAIN(RUN(statistics), RUN(infinities), RUN(as_large_as_doubles_are))
