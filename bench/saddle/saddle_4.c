/* SPDX-License-Identifier: MIT */
#define NH_LANES         4
#define SADDLE_FUNCTIONS saddle_functions_4
#include "saddle/saddle_text.h"
