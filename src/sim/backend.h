/* SPDX-License-Identifier: MIT */
/* Tape or native code: which of them a run uses, and when it changes. Results are the same to the bit. */
#ifndef NH_SIM_BACKEND_H
#define NH_SIM_BACKEND_H

#include "sim/sim.h"

/* Of native code for one trajectory. */
nh_stepper_setting nh_sim_best_setting(const nh_choice *choice);
/* Would steps to come take so long, after some that were timed, that a compiler pays? */
bool nh_sim_is_worth_a_build(const nh_stepper *s, double seconds, long long timed, long long steps_to_come);
/* At the start. What cannot be had leaves a note, and the tape. */
void nh_sim_choose_backend(nh_sim *s, nh_backend_choice choice);
/* Changes to native code where so many steps to come would take long without. */
void nh_sim_reconsider(nh_sim *s, long long steps_to_come);
/* For reports: "" or "; 0.1 s before it, …", what the seconds were for. */
enum { NH_BUILD_TEXT = 64 };
const char *nh_sim_build_text(bool native, double seconds, char buffer[NH_BUILD_TEXT]);

#endif
