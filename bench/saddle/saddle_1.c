/* SPDX-License-Identifier: MIT */
#define SADDLE_FUNCTIONS saddle_functions_1
#include "saddle/saddle_text.h"
