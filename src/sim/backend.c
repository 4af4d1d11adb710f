/* SPDX-License-Identifier: MIT */
#include "sim/backend.h"

#include "base/clock.h"

#include <stdio.h>

/* Steps are measured for so long before the rate is believed, and have to take so long for a compiler to pay: a second,
 * or what it is expected to take. */
#define SECONDS_MEASURED 0.02
#define SECONDS_WORTH    1.0

/* Two stages in four lanes are faster than one after the other. */
nh_stepper_setting nh_sim_best_setting(const nh_choice *choice)
{
    return choice->stages >= 2 ? NH_COMPILED_STAGES : NH_COMPILED;
}

bool nh_sim_is_worth_a_build(const nh_stepper *s, double seconds, long long timed, long long steps_to_come)
{
    const double build = nh_stepper_build_seconds(s), worth = build > SECONDS_WORTH ? build : SECONDS_WORTH;
    return seconds >= SECONDS_MEASURED && (double)steps_to_come * seconds / (double)timed >= worth;
}

static void take_note(nh_sim *s, const char *text)
{
    snprintf(s->note_text, sizeof s->note_text, "%s", text);
    s->note = s->note_text;
}

static void compile(nh_sim *s, bool build)
{
    nh_error error = {0};
    const double begin = nh_clock();
    nh_status status =
        nh_stepper_compile(s->stepper, nh_sim_best_setting(nh_stepper_choice(s->stepper)), build, NULL, &error);
    if (status != NH_OK && build)
        take_note(s, error.message);
    s->build_seconds += nh_clock() - begin;
}

void nh_sim_choose_backend(nh_sim *s, nh_backend_choice choice)
{
    if (choice == NH_BACKEND_NATIVE && s->member.quad)
        take_note(s, "quad precision runs on the tape");
    if (choice == NH_BACKEND_TAPE || s->member.quad)
        return;
    compile(s, choice == NH_BACKEND_NATIVE);
    s->may_compile = choice == NH_BACKEND_AUTO && !nh_stepper_native(s->stepper);
}

void nh_sim_reconsider(nh_sim *s, long long steps_to_come)
{
    if (!s->may_compile || !nh_sim_is_worth_a_build(s->stepper, s->seconds, s->timed, steps_to_come))
        return;
    s->may_compile = false;
    compile(s, true);
}

const char *nh_sim_build_text(bool native, double seconds, char buffer[NH_BUILD_TEXT])
{
    const char *what = native ? "for native code" : "to look for native code";
    buffer[0] = '\0';
    if (native || seconds > 0)
        snprintf(buffer, NH_BUILD_TEXT, "; %.3g s before it, %s", seconds, what);
    return buffer;
}
