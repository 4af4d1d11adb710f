/* SPDX-License-Identifier: MIT */
/* A control loop at 1 kHz with exported code. The commands to the rover's motors act 60 ms late, so the controller
 * looks ahead: in every period it lets a model, the exported integrator in float as on a small processor, run from what
 * is measured over the commands that are under way, and steers by where the rover will be. The rover itself is another
 * export, in double, with a mass that the controller does not know quite. Without the look ahead the rover swings about
 * the line y = 0 that it should follow.
 *
 *     nonholo export rover.nh --method "lobatto-ab(s=2)" --name rover -o DIR
 *     nonholo export rover.nh --method "lobatto-ab(s=2)" --step 1/100 --float --name ahead -o DIR
 *     cc -std=c99 -O2 -ffp-contract=off -IDIR control.c DIR/rover.c DIR/ahead.c -lm
 */
#include <ahead.h>
#include <math.h>
#include <rover.h>
#include <stdio.h>

enum {
    PERIODS = 10000, /* of 1 ms */
    DELAY = 60,      /* periods until a command acts */
    COARSE = 10      /* periods that the model goes in one step */
};

typedef struct command {
    double drive, turn;
} command;

/* What is under way: commands[period % DELAY] acts in this period. */
typedef struct delay_line {
    command commands[DELAY];
} delay_line;

/* What a motor can give. */
static double limited(double value, double most)
{
    return fmax(-most, fmin(most, value));
}

/* Towards the line y = 0 at 1 m/s: a heading that leads there, and motors that lead to the heading. */
static command steer(double y, double theta, double turning, double speed)
{
    const double heading = -atan(2.5 * y);
    return (command){.drive = limited(8 * (1 - speed) + 0.8, 5),
                     .turn = limited(20 * (heading - theta) - 2 * turning, 1)};
}

/* The state after all commands under way have acted; -1: the model has not converged. */
static int look_ahead(const rover_state *measured, const delay_line *line, int period, ahead_state *model)
{
    for (int i = 0; i < ahead_coordinates; i++) {
        model->q[i] = (float)measured->q[i];
        model->v[i] = (float)measured->v[i];
    }
    for (int i = 0; i < DELAY; i += COARSE) {
        const command c = line->commands[(period + i) % DELAY];
        model->parameter[ahead_parameter_drive] = (float)c.drive;
        model->parameter[ahead_parameter_turn] = (float)c.turn;
        ahead_restart(model);
        if (ahead_step(model) != ahead_good)
            return -1;
    }
    return 0;
}

static command decide(const rover_state *measured, const delay_line *line, int period, ahead_state *model)
{
    if (model && look_ahead(measured, line, period, model) == 0)
        return steer(model->q[ahead_coordinate_y], model->q[ahead_coordinate_theta], model->v[ahead_coordinate_theta],
                     hypot(model->v[0], model->v[1]));
    return steer(measured->q[rover_coordinate_y], measured->q[rover_coordinate_theta],
                 measured->v[rover_coordinate_theta], hypot(measured->v[0], measured->v[1]));
}

/* The largest distance from the line in the last half of the time; -1: a step of the rover has failed. */
static double drive(ahead_state *model)
{
    rover_state rover;
    delay_line line = {{{0, 0}}};
    double largest = 0;
    rover_init(&rover);
    rover.parameter[rover_parameter_m] *= 1.1;
    for (int period = 0; period < PERIODS; period++) {
        const command acts = line.commands[period % DELAY];
        line.commands[period % DELAY] = decide(&rover, &line, period, model);
        rover.parameter[rover_parameter_drive] = acts.drive;
        rover.parameter[rover_parameter_turn] = acts.turn;
        rover_restart(&rover);
        if (rover_step(&rover) != rover_good)
            return -1;
        if (period >= PERIODS / 2)
            largest = fmax(largest, fabs(rover.q[rover_coordinate_y]));
    }
    return largest;
}

int main(void)
{
    ahead_state model;
    ahead_init(&model);
    const double with = drive(&model), without = drive(NULL);
    printf("largest distance from the line after 5 s: %.2g m with the model, %.2g m without\n", with, without);
    return with < 0 || without < 0 || with > 0.01 || without < 10 * with;
}
