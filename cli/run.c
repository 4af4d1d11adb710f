/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* isatty */

#include "checkpoint.h"
#include "files.h"
#include "motion.h"
#include "picture.h"
#include "progress.h"
#include "stop.h"
#include "tool.h"

#include <unistd.h>

typedef struct tool_job {
    const tool_arguments *arguments;
    nh_sim_options options;
    nh_model *model;
    nh_sim *sim;
    long long steps, every; /* to do; between rows of the file */
    tool_motion motion;
    tool_picture picture;
    tool_progress progress;
    tool_stop stop;
    tool_checkpoint checkpoint;
    long long mark[NH_MARKS]; /* of a checkpoint */
    bool stopped, writing_failed, saving_failed;
} tool_job;

/* ---- While it runs ---- */

/* Called for every row of the file, and for the last state wherever that is. */
static int observe(const nh_sim *sim, void *user)
{
    tool_job *job = user;
    const long long step = nh_sim_step_count(sim);
    if (job->arguments->output)
        job->writing_failed |= !tool_motion_row(&job->motion, sim, 0);
    if (job->arguments->plot && (step % job->picture.stride == 0 || step % job->every != 0))
        tool_picture_point(&job->picture, sim);
    return job->writing_failed;
}

/* The file is written first: a checkpoint never tells of rows that are not there. */
static bool save(tool_job *job, const nh_sim *sim)
{
    nh_error error = {0};
    nh_table_place place = {0};
    tool_checkpoint_start(&job->checkpoint);
    if (job->arguments->output && !tool_motion_sync(&job->motion, &place)) {
        job->writing_failed = true; /* the end will tell */
        return false;
    }
    tool_checkpoint_mark(job->mark, MARK_OUTPUT, place);
    const bool good = nh_sim_save(sim, job->checkpoint.path, job->mark, &error) == NH_OK;
    if (!good)
        tool_error(&error);
    tool_checkpoint_done(&job->checkpoint);
    return good;
}

static int pulse(const nh_sim *sim, void *user)
{
    tool_job *job = user;
    const long long step = nh_sim_step_count(sim);
    double time;
    nh_sim_get(sim, NH_SIM_TIME, &time);
    tool_progress_show(&job->progress, step, job->steps, time);
    job->stopped = tool_stop_wanted(&job->stop);
    const bool last = job->checkpoint.path && (job->stopped || step == job->steps);
    if (last || tool_checkpoint_due(&job->checkpoint))
        job->saving_failed = !save(job, sim);
    return job->stopped || job->saving_failed;
}

static nh_status step(tool_job *job, nh_error *error)
{
    const tool_arguments *a = job->arguments;
    const long long every = a->output ? job->every : a->plot ? job->picture.stride : 0;
    nh_sim_set_pulse(job->sim, pulse, job);
    tool_progress_begin(&job->progress, a->quiet, nh_sim_step_count(job->sim));
    tool_stop_begin(&job->stop);
    tool_checkpoint_begin(&job->checkpoint, a);
    nh_status status = nh_sim_run(job->sim, job->steps - nh_sim_step_count(job->sim), every, observe, job, error);
    tool_stop_end(&job->stop);
    tool_progress_end(&job->progress);
    return status;
}

/* ---- Before ---- */

static bool arguments_fit(const tool_arguments *a)
{
    if ((a->output && !tool_motion_accepts(a->output)) || (a->plot && !tool_picture_accepts(a->plot)) ||
        !tool_files_fit(a, a->output) || !tool_run_fits(a))
        return false;
    if ((a->plot_x || a->plot_y) && !a->plot)
        tool_complain("--plot-x and --plot-y need --plot FILE");
    else if (a->plot && a->resume)
        tool_complain("--plot cannot be given with --resume: what came before is not there to be drawn");
    else
        return true;
    return false;
}

static int prepare(tool_job *job)
{
    const tool_arguments *a = job->arguments;
    nh_error error = {0};
    int exit_code = TOOL_USAGE;
    if (!arguments_fit(a) || !tool_sim_options(a, &job->options))
        return TOOL_USAGE;
    job->model = tool_load(a, &exit_code);
    if (!job->model)
        return exit_code;
    job->steps = a->steps;
    job->every = a->every > 0 ? a->every : 1;
    nh_status status = nh_sim_new(job->model, &job->options, &job->sim, &error);
    if (status == NH_OK && a->steps < 0)
        status = nh_sim_steps_until(job->sim, a->until, &job->steps, &error);
    if (status == NH_OK && a->resume)
        status = nh_sim_resume(job->sim, a->resume, job->mark, &error);
    if (status != NH_OK)
        return tool_error(&error);
    if (!tool_files_have_places(a))
        return TOOL_FAILED;
    if (!tool_checkpoint_continues(a, job->mark, job->every, nh_sim_step_count(job->sim), job->steps))
        return TOOL_USAGE;
    job->mark[MARK_EVERY] = job->every;
    if (a->plot && !tool_picture_begin(&job->picture, job->sim, a->plot_x, a->plot_y, job->every, job->steps))
        return TOOL_USAGE;
    const nh_table_place from = tool_checkpoint_place(job->mark, MARK_OUTPUT);
    return a->output && !tool_motion_begin(&job->motion, a->output, job->sim, false, a->resume ? &from : NULL)
               ? TOOL_FAILED
               : TOOL_DONE;
}

/* ---- After ---- */

/* There and back, where that means something and somebody will read it. */
static const double *reversal(const tool_job *job, double *defect)
{
    enum { MOST = 1000 };
    nh_audit audit;
    nh_error error = {0};
    nh_sim_audit(job->sim, &audit);
    if (!audit.reversible || audit.steps == 0 || (job->arguments->quiet && !job->arguments->json))
        return NULL;
    const long long steps = audit.steps < MOST ? audit.steps : MOST;
    return nh_sim_reversal(job->model, &job->options, steps, defect, &error) == NH_OK ? defect : NULL;
}

static int report(const tool_job *job, bool complete)
{
    const tool_arguments *a = job->arguments;
    double defect;
    char *text = NULL;
    nh_error error = {0};
    if (a->quiet && !a->json)
        return TOOL_DONE;
    const double *back = complete ? reversal(job, &defect) : NULL;
    if (nh_sim_report(job->sim, tool_format(a), back, &text, &error) != NH_OK)
        return tool_error(&error);
    return tool_report(a, text);
}

static int simulate(tool_job *job)
{
    const tool_arguments *a = job->arguments;
    nh_error error = {0};
    nh_audit audit;
    const nh_status status = step(job, &error);
    const bool complete = status == NH_OK && !job->stopped && !job->writing_failed && !job->saving_failed;
    bool good = complete;
    if (a->output)
        good &= tool_motion_end(&job->motion);
    good &= report(job, complete) == TOOL_DONE;
    if (a->plot)
        good &= tool_picture_end(&job->picture, job->sim, a->plot, !a->quiet && !a->json && isatty(STDOUT_FILENO));
    nh_sim_audit(job->sim, &audit);
    if (status != NH_OK)
        tool_error(&error);
    else if (job->stopped)
        tool_complain("stopped at t = %.9g, after %lld of %lld steps", audit.time, audit.steps, job->steps);
    return good ? TOOL_DONE : TOOL_FAILED;
}

static int run(const tool_arguments *arguments)
{
    tool_job job = {.arguments = arguments};
    int exit_code = prepare(&job);
    if (exit_code == TOOL_DONE)
        exit_code = simulate(&job);
    tool_motion_free(&job.motion);
    tool_picture_free(&job.picture);
    nh_sim_free(job.sim);
    nh_model_free(job.model);
    return exit_code;
}

const tool_command tool_run = {
    .name = "run",
    .summary = "simulate; write the motion; end with an audit",
    .operands = "MODEL",
    .help = "Simulates a model, and ends with an audit: what became of energy, constraints, invariants and momenta,\n"
            "how hard the equations of a step were to solve, how long it took, and, where the motion can be\n"
            "reversed, how far from the start going there and back ends. EXPR may use pi, sqrt, sin and the\n"
            "model's parameters. Ctrl-C ends a run after the current step: what was computed is kept.\n"
            "\n"
            "The file of --output has the columns t, coordinates, velocities, observables, energy_error and\n"
            "constraint (the largest residual).\n"
            "\n"
            "With --checkpoint, a run that was stopped in any way goes on with the same command and --resume, and\n"
            "ends with the same numbers, bit for bit, in the same files; a run that has ended can be made longer.\n"
            "\n"
            "examples:\n"
            "  nonholo run sleigh\n"
            "  nonholo run skate --method \"lobatto-ab(s=3)\" --step 1/10 --until \"20*pi\" --output skate.csv\n"
            "  nonholo run sleigh --set m=2 --initial \"theta'=1\" --project --plot sleigh.svg\n"
            "  nonholo run particle --precision quad --steps 50 --json\n"
            "  nonholo run particle --output - --every 10 --quiet | head\n"
            "  nonholo run mp-particles --checkpoint long.check --output long.csv --every 100\n"
            "  nonholo run mp-particles --checkpoint long.check --output long.csv --every 100 --resume long.check\n",
    .options = OPTION_MODEL | OPTION_METHOD | OPTION_STEP | OPTION_TIME | OPTION_OUTPUT | OPTION_ENGINE |
               OPTION_PROJECT | OPTION_CHECKPOINT | OPTION_AUDIT | OPTION_ALONE | OPTION_JSON | OPTION_QUIET,
    .least = 1,
    .most = 1,
    .run = run,
};
