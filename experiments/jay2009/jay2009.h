/* SPDX-License-Identifier: MIT */
/* L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009), section 8. */
#ifndef NONHOLO_EXPERIMENTS_JAY2009_H
#define NONHOLO_EXPERIMENTS_JAY2009_H

#include "experiments/experiment.h"

extern const experiment_paper jay2009;

bool jay2009_particle(experiment *x);
bool jay2009_skate(experiment *x);
bool jay2009_robot(experiment *x);
bool jay2009_mp_particles(experiment *x);
bool jay2009_round_off(experiment *x);

#endif
