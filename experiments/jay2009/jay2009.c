/* SPDX-License-Identifier: MIT */
#include "jay2009.h"

static const experiment_figure figures[] = {
    {"8.1", "nonholonomic particle, Gauss: energy error", jay2009_particle},
    {"8.2", "skate on an inclined plane, Lobatto IIIA-B: energy error", jay2009_skate},
    {"8.3", "mobile robot, Lobatto IIIA-B-D: energy error", jay2009_robot},
    {"8.4", "McLachlan and Perlmutter's particles: random walk of the energy", jay2009_mp_particles},
    {"round-off", "nonholonomic particle, Gauss s = 8: random walk of round-off", jay2009_round_off},
};

const experiment_paper jay2009 = {
    .name = "jay2009",
    .title = "Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems",
    .citation =
        "L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009), section 8",
    .figures = figures,
    .count = sizeof figures / sizeof figures[0],
};
