/* SPDX-License-Identifier: MIT */
#include "experiments/experiment.h"
#include "experiments/jay2009/jay2009.h"

const experiment_paper *const experiment_papers[] = {&jay2009, NULL};
