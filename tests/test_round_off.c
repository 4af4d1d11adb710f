/* SPDX-License-Identifier: MIT */
/* Round-off is a random walk: the mean of the energy errors of many members stays where the method's own error is. */
#include "models.h"

#include "motion.h"

#include <math.h>
#include <stdlib.h>

enum { MEMBERS = 64, STEPS = 60000 };

/* Sum of E - E(0) of a batch of members, the first coordinates of which are 1e-9 apart. */
static double sum_of_errors(motion *o, origin *from)
{
    double sum = 0;
    for (int l = 0; l < o->lanes; l++) {
        from->q[0] += 1e-9;
        motion_start(o, l, &from->start);
        motion_aim(o, l, STEPS);
    }
    CHECK(motion_advance(o));
    for (int l = 0; l < o->lanes; l++)
        sum += (double)(motion_at(o, l, NH_AT_ENERGY_LAST) - motion_at(o, l, NH_AT_ENERGY));
    return sum;
}

/* Mean of E - E(0) after all steps. */
static double mean_error(const char *model, const char *method, double h)
{
    motion o;
    double sum = 0;
    nh_model *m = load_model(model, NULL);
    origin *from = m ? origin_of(m) : NULL;
    if (from && CHECK_EQ_INT(motion_open(&o, m, method, NH_ON_TAPE_LANES, NULL, NULL), NH_OK)) {
        from->start.h = h;
        for (int k = 0; k < MEMBERS; k += o.lanes)
            sum += sum_of_errors(&o, from);
        motion_close(&o);
    }
    free(from);
    nh_model_free(m);
    return sum / MEMBERS;
}

/* E(0) = 1.5: a bias of a twenty-thousandth of a unit in its last place a step is 1e-15 in the end, and the mean of
 * walks is known to a quarter of that. A step that is a power of two adds no rounding errors, and shows what others
 * hide; the method's own error is smaller for both. */
TEST(energy_errors_have_no_bias)
{
    CHECK_NEAR(mean_error("particle", "gauss(s=8)", 0.25), 0, 1e-15);
    CHECK_NEAR(mean_error("particle", "gauss(s=8)", 0.3), 0, 1e-15);
}

TEST_MAIN(RUN(energy_errors_have_no_bias))
