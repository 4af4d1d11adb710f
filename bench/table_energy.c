/* SPDX-License-Identifier: MIT */
#include "sweep.h"

static void run(const bench *b)
{
    contest c = {
        "particles, T = 100, largest energy error", subject_particles(3), PEER_PARTICLES, 100, NULL, {1.5, 2.5, 3}};
    sweep_contest(b, "energy", &c);
    if (b->quick)
        return;
    c.title = "particles, T = 1000, largest energy error";
    c.time = 1000;
    sweep_contest(b, "energy", &c);
}

const bench_table table_energy = {"energy", "time to an energy error, against integrators of others", run};
