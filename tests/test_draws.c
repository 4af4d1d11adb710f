/* SPDX-License-Identifier: MIT */
/* Draws have the distribution that they claim. */
#include "ensembles.h"

#include "base/random.h"

TEST(philox)
{
    /* known answers of Random123 */
    static const uint32_t zero[4] = {0}, ones[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    static const uint32_t of_zero[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    static const uint32_t of_ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    uint32_t out[4];
    nh_philox(zero, zero, out);
    CHECK(!memcmp(out, of_zero, sizeof out));
    nh_philox(ones, ones, out);
    CHECK(!memcmp(out, of_ones, sizeof out));
}

static void check_moments(double (*draw)(nh_draw_key), double mean, double variance, double fourth)
{
    enum { COUNT = 200000 };
    double sum[4] = {0}, neighbours = 0, last = 0;
    for (int i = 0; i < COUNT; i++) {
        const double x = draw((nh_draw_key){5, (uint64_t)i, 0, 3}) - mean;
        sum[0] += x;
        sum[1] += x * x;
        sum[2] += x * x * x;
        sum[3] += x * x * x * x;
        neighbours += x * last;
        last = x;
    }
    const double four = 4 / sqrt(COUNT); /* standard deviations */
    CHECK_NEAR(sum[0] / COUNT, 0, four * sqrt(variance));
    CHECK_NEAR(sum[1] / COUNT, variance, four * sqrt(fourth - variance * variance));
    CHECK_NEAR(sum[2] / COUNT, 0, four * 4 * variance * sqrt(variance));
    CHECK_NEAR(sum[3] / COUNT, fourth, four * 10 * fourth);
    CHECK_NEAR(neighbours / COUNT, 0, four * variance);
}

TEST(distributions)
{
    check_moments(nh_random_uniform, 0.5, 1.0 / 12, 1.0 / 80);
    check_moments(nh_random_normal, 0, 1, 3);
    const nh_draw_key key = {1, 2, 3, 4};
    CHECK(nh_random_normal(key) == nh_random_normal(key));
    CHECK(nh_random_uniform(key) != nh_random_uniform((nh_draw_key){1, 2, 3, 5}));
    CHECK(nh_random_uniform(key) != nh_random_uniform((nh_draw_key){1, 2, 4, 4}));
    CHECK(nh_random_uniform(key) != nh_random_uniform((nh_draw_key){1, 3, 3, 4}));
    CHECK(nh_random_uniform(key) != nh_random_uniform((nh_draw_key){2, 2, 3, 4}));
}

/* In the plane of directions that y' = z' leaves, (x', sqrt(8) y') lies on a circle of radius 2. */
TEST(energy_surface)
{
    static const char text[] = "coordinates x, y, z\nlagrangian (x'^2 + 3*y'^2 + 5*z'^2)/2\nconstraint y' = z'\n"
                               "step 1\nuntil 1\n";
    enum { COUNT = 4000 };
    static const char *const draw[] = {"energy(2)"};
    nh_model *model = parse_model(text);
    nh_ensemble_options o = nh_ensemble_options_default();
    double v[3], energy, square = 0, fourth = 0, product = 0, mean = 0;
    o.draw = draw;
    o.draws = 1;
    o.count = COUNT;
    nh_ensemble *e = make_ensemble(model, &o);
    for (int k = 0; e && k < COUNT; k++) {
        const nh_sim *sim = nh_ensemble_member(e, k);
        nh_sim_get(sim, NH_SIM_VELOCITY, v);
        nh_sim_get(sim, NH_SIM_ENERGY, &energy);
        if (!CHECK_NEAR(energy, 2, 1e-14) || !CHECK_NEAR(v[1], v[2], 1e-15))
            break;
        const double a = v[0] / 2, b = sqrt(8) * v[1] / 2;
        mean += a + b;
        product += a * b;
        square += a * a;
        fourth += a * a * a * a;
    }
    CHECK_NEAR(square / COUNT, 0.5, 4 * sqrt(0.125 / COUNT));
    CHECK_NEAR(fourth / COUNT, 0.375, 4 * sqrt(0.14 / COUNT));
    CHECK_NEAR(product / COUNT, 0, 4 * sqrt(0.125 / COUNT));
    CHECK_NEAR(mean / COUNT, 0, 4 / sqrt(COUNT));
    nh_ensemble_free(e);
    nh_model_free(model);
}

/* Positions above the energy are drawn again: x is uniform where x^2 <= 1. */
TEST(energy_surface_draws_again)
{
    static const char text[] = "coordinates x, y\nlagrangian (x'^2 + y'^2 - x^2)/2\nconstraint y' = x*x'\nstep 1\n";
    static const char *const draw[] = {"x = uniform(-2, 2)", "energy(1/2)"};
    enum { COUNT = 2000 };
    nh_model *model = parse_model(text);
    nh_ensemble_options o = nh_ensemble_options_default();
    double q[2], square = 0;
    o.draw = draw;
    o.draws = 2;
    o.count = COUNT;
    nh_ensemble *e = make_ensemble(model, &o);
    for (int k = 0; e && k < COUNT; k++) {
        nh_sim_get(nh_ensemble_member(e, k), NH_SIM_POSITION, q);
        CHECK(fabs(q[0]) <= 1);
        square += q[0] * q[0];
    }
    CHECK_NEAR(square / COUNT, 1.0 / 3, 4 * sqrt(4.0 / 45 / COUNT));
    CHECK_NEAR(e ? (double)e->redrawn / COUNT : 0, 1, 0.15); /* as often as not */
    nh_ensemble_free(e);
    nh_model_free(model);
}

/* The ends of a uniform distribution are doubles; what lies between them need not be. */
TEST(wide_draws)
{
    enum { COUNT = 100 };
    static const char *const draw[] = {"x = uniform(-1.5e308, 1.5e308)"};
    nh_model *model = parse_model("coordinates x\nlagrangian x'^2/2\nstep 1\n");
    nh_ensemble_options o = nh_ensemble_options_default();
    double q, least = 0, most = 0;
    o.draw = draw;
    o.draws = 1;
    o.count = COUNT;
    nh_ensemble *e = make_ensemble(model, &o);
    for (int k = 0; e && k < COUNT; k++) {
        nh_sim_get(nh_ensemble_member(e, k), NH_SIM_POSITION, &q);
        least = fmin(least, q);
        most = fmax(most, q);
    }
    CHECK(least >= -1.5e308 && least < -1e308 && most > 1e308 && most <= 1.5e308);
    nh_ensemble_free(e);
    nh_model_free(model);
}

TEST_MAIN(RUN(wide_draws), RUN(philox), RUN(distributions), RUN(energy_surface), RUN(energy_surface_draws_again))
