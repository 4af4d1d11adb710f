/* SPDX-License-Identifier: MIT */
/* A motion: a model, a method, a look at the state every twenty steps, and the audit. */
#include <nonholo/nonholo.h>
#include <stdio.h>

static int look(const nh_sim *sim, void *user)
{
    double t, q[3], error;
    (void)user;
    nh_sim_get(sim, NH_SIM_TIME, &t);
    nh_sim_get(sim, NH_SIM_POSITION, q);
    nh_sim_get(sim, NH_SIM_ENERGY_ERROR, &error);
    printf("t = %.0f   x = %.4f   y = %.4f   E - E(0) = %.1e\n", t, q[0], q[1], error);
    return 0; /* anything else would end the run */
}

int main(void)
{
    nh_model *model = NULL;
    nh_sim *sim = NULL;
    nh_error error = {0};
    nh_audit audit = {0};
    nh_sim_options options = nh_sim_options_default();
    options.method = "lobatto-ab(s=3)";
    options.step = "1/20";
    nh_status status = nh_model_load("skate", NULL, &model, &error); /* of the catalogue, or a file */
    if (status == NH_OK)
        status = nh_sim_new(model, &options, &sim, &error);
    if (status == NH_OK)
        status = nh_sim_run(sim, 80, 20, look, NULL, &error);
    if (status == NH_OK) {
        nh_sim_audit(sim, &audit);
        printf("%s: energy to %.1e, constraint to %.1e\n", audit.method, audit.energy_max_error, audit.constraint_max);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    nh_sim_free(sim);
    nh_model_free(model);
    return status != NH_OK || audit.energy_max_error > 1e-6 || audit.constraint_max > 1e-13;
}
