/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include "bands.h"
#include "checkpoint.h"
#include "files.h"
#include "motion.h"
#include "picture.h"
#include "progress.h"
#include "stop.h"
#include "tool.h"

#include <limits.h>
#include <unistd.h>

enum { OUTPUTS = 100 }; /* unless --every tells */

typedef struct tool_crowd {
    const tool_arguments *arguments;
    nh_model *model;
    nh_table *table; /* of --members */
    nh_ensemble *ensemble;
    long long steps, every;
    tool_bands bands;
    tool_motion motion;
    tool_progress progress;
    tool_stop stop;
    tool_checkpoint checkpoint;
    long long mark[NH_MARKS]; /* of a checkpoint */
    bool stopped, failed;
} tool_crowd;

/* ---- While it runs ---- */

/* Members that have failed since the output before have a row of their last good state, as in the file of a run. */
static int observe(nh_ensemble *e, void *user)
{
    tool_crowd *c = user;
    const long long last = nh_ensemble_step(e) - 1, before = last < 0 ? -1 : last - last % c->every;
    c->failed |= !tool_bands_row(&c->bands, e);
    for (long long k = 0; c->arguments->motions && !c->failed && k < nh_ensemble_members(e); k++) {
        const nh_sim *sim = nh_ensemble_member(e, k);
        if (sim && nh_sim_step_count(sim) > before)
            c->failed |= !tool_motion_row(&c->motion, sim, k);
    }
    return c->failed;
}

/* The files are written first: a checkpoint never tells of rows that are not there. */
static bool save(tool_crowd *c)
{
    nh_error error = {0};
    nh_table_place statistics, motions = {0};
    tool_checkpoint_start(&c->checkpoint);
    if (!tool_bands_sync(&c->bands, &statistics) || (c->arguments->motions && !tool_motion_sync(&c->motion, &motions)))
        return false; /* the end will tell */
    tool_checkpoint_mark(c->mark, MARK_OUTPUT, statistics);
    tool_checkpoint_mark(c->mark, MARK_MOTIONS, motions);
    const bool good = nh_ensemble_save(c->ensemble, c->checkpoint.path, c->mark, &error) == NH_OK;
    if (!good)
        tool_error(&error);
    tool_checkpoint_done(&c->checkpoint);
    return good;
}

static int pulse(nh_ensemble *e, void *user)
{
    tool_crowd *c = user;
    const long long step = nh_ensemble_steps(e);
    tool_progress_show(&c->progress, step, c->steps, nh_ensemble_time_of(e, step));
    c->stopped = tool_stop_wanted(&c->stop);
    const bool last = c->checkpoint.path && (c->stopped || step == c->steps);
    if (last || tool_checkpoint_due(&c->checkpoint))
        c->failed |= !save(c);
    return c->stopped || c->failed;
}

static nh_status step(tool_crowd *c, nh_error *error)
{
    nh_ensemble_set_pulse(c->ensemble, pulse, c);
    tool_progress_begin(&c->progress, c->arguments->quiet, nh_ensemble_steps(c->ensemble));
    tool_stop_begin(&c->stop);
    tool_checkpoint_begin(&c->checkpoint, c->arguments);
    nh_status status =
        nh_ensemble_run(c->ensemble, c->steps, c->every, c->arguments->motions != NULL, observe, c, error);
    tool_stop_end(&c->stop);
    tool_progress_end(&c->progress);
    return status;
}

/* ---- Before ---- */

static bool is_csv(const char *option, const char *path)
{
    if (!path || tool_ends_in(path, ".csv"))
        return true;
    tool_complain("%s %s: a file that ends in .csv is needed", option, path);
    return false;
}

static bool arguments_fit(const tool_arguments *a)
{
    if ((!tool_streams(a) && !is_csv("--output", a->output)) || !is_csv("--motions", a->motions) ||
        (a->plot && !tool_picture_accepts(a->plot)) || !tool_files_fit(a, a->output) || !tool_run_fits(a))
        return false;
    if (a->plot && a->resume && !a->output) {
        tool_complain("--plot with --resume needs --output FILE.csv, where the times before are");
        return false;
    }
    return true;
}

static int threads(const tool_arguments *a)
{
    enum { MOST = 1024 };
    const long long wanted = a->threads > 0 ? a->threads : sysconf(_SC_NPROCESSORS_ONLN);
    return wanted < 1 ? 1 : wanted > MOST ? MOST : (int)wanted;
}

static bool read_options(tool_crowd *c, nh_ensemble_options *out)
{
    const tool_arguments *a = c->arguments;
    nh_error error = {0};
    *out = nh_ensemble_options_default();
    if (!tool_sim_options(a, &out->sim))
        return false;
    if (a->members && nh_table_read(a->members, &c->table, &error) != NH_OK) {
        tool_error(&error);
        return false;
    }
    out->list = a->list;
    out->lists = a->list_count;
    out->grid = a->grid;
    out->grids = a->grid_count;
    out->draw = a->draw;
    out->draws = a->draw_count;
    out->table = c->table;
    out->count = a->count > 0 ? a->count : 1;
    if (a->seed >= 0)
        out->seed = (unsigned long long)a->seed;
    out->threads = threads(a);
    if (a->at_a_time > 0)
        out->at_a_time = a->at_a_time < INT_MAX ? (int)a->at_a_time : INT_MAX;
    return true;
}

/* Steps between outputs where neither --every nor a checkpoint tells. */
static long long usual_spacing(const tool_crowd *c)
{
    return c->steps > OUTPUTS ? c->steps / OUTPUTS : 1;
}

static nh_status make(tool_crowd *c, const nh_ensemble_options *options, nh_error *error)
{
    const tool_arguments *a = c->arguments;
    nh_status status = nh_ensemble_new(c->model, options, &c->ensemble, error);
    c->steps = a->steps;
    if (status == NH_OK && a->steps < 0)
        status = nh_ensemble_steps_until(c->ensemble, a->until, &c->steps, error);
    if (status == NH_OK && a->resume)
        status = nh_ensemble_resume(c->ensemble, a->resume, c->mark, error);
    const long long before = c->mark[MARK_EVERY]; /* other programs may have left any number there */
    c->every = a->every > 0 ? a->every : a->resume && before > 0 ? before : usual_spacing(c);
    return status;
}

/* With another end, rows that are there already are not where a command from the start would have put them. */
static void tell_spacing(const tool_crowd *c)
{
    const tool_arguments *a = c->arguments;
    if (a->resume && a->every < 0 && (a->output || a->motions) && c->every != usual_spacing(c) && !a->quiet)
        tool_complain("rows stay %lld steps apart, as before %s; without --resume and --every they would be %lld apart",
                      c->every, a->resume, usual_spacing(c));
}

/* The statistics come last: for the sake of a picture they are cut off where they go on. */
static bool begin_files(tool_crowd *c)
{
    const tool_arguments *a = c->arguments;
    const nh_table_place statistics = tool_checkpoint_place(c->mark, MARK_OUTPUT),
                         motions = tool_checkpoint_place(c->mark, MARK_MOTIONS);
    return (!a->motions || tool_motion_begin(&c->motion, a->motions, nh_ensemble_reader(c->ensemble), true,
                                             a->resume ? &motions : NULL)) &&
           tool_bands_begin(&c->bands, c->ensemble, a->output, a->plot != NULL, a->resume ? &statistics : NULL);
}

static int prepare(tool_crowd *c)
{
    const tool_arguments *a = c->arguments;
    nh_error error = {0};
    nh_ensemble_options options;
    int exit_code = TOOL_USAGE;
    if (!arguments_fit(a) || !read_options(c, &options))
        return TOOL_USAGE;
    c->model = tool_load(a, &exit_code);
    if (!c->model)
        return exit_code;
    if (make(c, &options, &error) != NH_OK)
        return tool_error(&error);
    if (!tool_checkpoint_continues(a, c->mark, c->every, nh_ensemble_steps(c->ensemble), c->steps))
        return TOOL_USAGE;
    c->mark[MARK_EVERY] = c->every;
    tell_spacing(c);
    return tool_files_have_places(a) && begin_files(c) ? TOOL_DONE : TOOL_FAILED;
}

/* ---- After ---- */

static bool report(const tool_crowd *c)
{
    const tool_arguments *a = c->arguments;
    char *text = NULL;
    nh_error error = {0};
    if (a->quiet && !a->json)
        return true;
    if (nh_ensemble_report(c->ensemble, tool_format(a), &text, &error) != NH_OK) {
        tool_error(&error);
        return false;
    }
    return tool_report(a, text) == TOOL_DONE;
}

static bool draw(const tool_crowd *c)
{
    char caption[256];
    nh_audit audit;
    nh_sim_audit(nh_ensemble_reader(c->ensemble), &audit);
    snprintf(caption, sizeof caption, "%s, %lld members, %lld steps of h = %g", audit.method,
             nh_ensemble_members(c->ensemble), nh_ensemble_steps(c->ensemble), audit.step);
    return tool_bands_draw(&c->bands, c->arguments->plot, *audit.title ? audit.title : audit.method, caption);
}

static int simulate(tool_crowd *c)
{
    const tool_arguments *a = c->arguments;
    nh_error error = {0};
    const nh_status status = step(c, &error);
    bool good = status == NH_OK && !c->stopped && !c->failed;
    good &= tool_bands_end(&c->bands);
    if (a->motions)
        good &= tool_motion_end(&c->motion);
    good &= report(c);
    if (a->plot)
        good &= draw(c);
    if (status != NH_OK)
        return tool_error(&error);
    const long long failures = nh_ensemble_failures(c->ensemble);
    if (c->stopped)
        tool_complain("stopped at t = %.9g, after %lld of %lld steps", nh_ensemble_time(c->ensemble),
                      nh_ensemble_steps(c->ensemble), c->steps);
    if (failures > 0)
        tool_complain("%lld of %lld members failed", failures, nh_ensemble_members(c->ensemble));
    return good && failures == 0 ? TOOL_DONE : TOOL_FAILED;
}

static int run(const tool_arguments *arguments)
{
    tool_crowd crowd = {.arguments = arguments};
    int exit_code = prepare(&crowd);
    if (exit_code == TOOL_DONE)
        exit_code = simulate(&crowd);
    tool_motion_free(&crowd.motion);
    tool_bands_free(&crowd.bands);
    nh_ensemble_free(crowd.ensemble);
    nh_table_free(crowd.table);
    nh_model_free(crowd.model);
    return exit_code;
}

const tool_command tool_ensemble = {
    .name = "ensemble",
    .summary = "many motions: grids, lists or random draws, with statistics",
    .operands = "MODEL",
    .help = "Simulates many members of one model and tells statistics of all of them at output times. Members are\n"
            "the rows of a file, all combinations of lists and grids, and draws; each is, bit for bit, what run\n"
            "gives with the same --set and --initial, for any number of threads, of members at a time, and of\n"
            "other members. Initial data off the constraints are projected onto them, in the metric of the kinetic\n"
            "energy, as run --project does. Members that fail are counted, told and left out: the exit code is 1.\n"
            "\n"
            "Step, end and values of options are the same for all members: they are refused where they depend on a\n"
            "parameter of which each member has its own, and so is a --set or --initial that members would replace.\n"
            "A grid has both of its ends; a cell of --members is what --initial makes of the same number.\n"
            "\n"
            "--draw \"energy(E)\" draws all velocities on an energy surface: their direction is uniform on the unit\n"
            "sphere, in the metric of the kinetic energy, of the velocities that the constraints allow at the\n"
            "member's position, and their length follows from E. Where the potential is above E, all that is drawn\n"
            "of the member is drawn again.\n"
            "\n"
            "The file of --output has the columns t, members (those that have not failed), and of energy_error,\n"
            "constraint (the largest residual), observables and invariants NAME.mean, .variance (with one less than\n"
            ".count in the denominator: nan of one member), .mean_square (of the energy error: the mu of Jay 2009,\n"
            "8.4), .min, .q05, .q25, .q50, .q75, .q95 (quantiles), .max and .count: the members that these are of,\n"
            "which are fewer where a quantity is no number, like sqrt(-1).\n"
            "The file of --motions has a row for every member at every output time: member, then as run; where one\n"
            "has failed since the time before, its last good state, and none from there on.\n"
            "\n"
            "examples:\n"
            "  nonholo ensemble mp-particles --list j=0,1,2,3,4,5,6,7,8,9 --method mp --until 500\n"
            "  nonholo ensemble sleigh --grid a=0:1:11 --output sleigh.csv --plot sleigh.svg\n"
            "  nonholo ensemble skate --draw \"theta'=normal(1,0.1)\" --count 1000 --seed 7 --json\n"
            "  nonholo ensemble mp-particles --draw \"q[1]=uniform(-1,1)\" --draw \"energy(3)\" --count 10000\n"
            "  nonholo ensemble skate --members starts.csv --motions motions.csv --every 10\n"
            "  nonholo ensemble mp-particles --list j=0,1,2 --checkpoint long.check --resume long.check\n",
    .options = OPTION_MODEL | OPTION_MEMBERS | OPTION_METHOD | OPTION_STEP | OPTION_TIME | OPTION_CHECKPOINT |
               OPTION_ENGINE | OPTION_AUDIT | OPTION_THREADS | OPTION_JSON | OPTION_QUIET,
    .least = 1,
    .most = 1,
    .run = run,
};
