/* SPDX-License-Identifier: MIT */
/* Published figures and tables, made again: papers, their figures, and what a figure's function has to work with. */
#ifndef NONHOLO_EXPERIMENTS_EXPERIMENT_H
#define NONHOLO_EXPERIMENTS_EXPERIMENT_H

#include <nonholo/nonholo.h>
#include <stdbool.h>

typedef enum experiment_effort {
    EXPERIMENT_QUICK, /* seconds; what needs a long run is not judged */
    EXPERIMENT_USUAL,
    EXPERIMENT_THOROUGH /* minutes; narrower expectations */
} experiment_effort;

/* Called some ten times a second, by one thread at a time: steps done of all those of a figure. Not 0: stop. */
typedef int experiment_pulse(void *user, long long done, long long total);

typedef struct experiment_options {
    const char *directory; /* where the files go; made if it is not there */
    experiment_effort effort;
    int threads;
    experiment_pulse *pulse; /* NULL: none */
    void *user;
} experiment_options;

struct experiment;

typedef struct experiment_figure {
    const char *name, *title;
    /* False: it was stopped, or failed, and x->error tells why. */
    bool (*make)(struct experiment *x);
} experiment_figure;

typedef struct experiment_paper {
    const char *name, *title, *citation;
    const experiment_figure *figures;
    int count;
} experiment_paper;

/* Every paper; NULL at the end. */
extern const experiment_paper *const experiment_papers[];

enum { EXPERIMENT_FIGURES_MAX = 32, EXPERIMENT_CAPTION_MAX = 1200 };

/* A figure that is done. */
typedef struct experiment_result {
    const experiment_figure *figure;
    double seconds;
    bool drawn;
    char caption[EXPERIMENT_CAPTION_MAX];
} experiment_result;

/* One paper in progress. */
typedef struct experiment {
    experiment_options options;
    const experiment_paper *paper;
    nh_claims *claims;
    experiment_result results[EXPERIMENT_FIGURES_MAX]; /* the last one may be unfinished: see count */
    int count;
    double seconds;
    bool stopped;
    nh_error error;
    char no_pictures[512]; /* why nothing is drawn, "" if it is */
} experiment;

/* Makes one figure, or all of them (NULL), and a summary of those that were finished. The caller frees with
 * experiment_free in any case. */
bool experiment_run_paper(experiment *x, const experiment_paper *paper, const experiment_figure *only,
                          const experiment_options *options);
void experiment_free(experiment *x);

/* ---- For the functions of figures ---- */

/* One motion: what to do, then what came of it. All zero but for model, steps and every is fine. */
typedef struct experiment_motion {
    const char *model;
    nh_model_options settings;
    const char *method, *step;
    long long steps, every; /* E - E(0) is kept every so many steps … */
    bool audit_all;         /* … and looked at in every step for the audit; else where it is kept */
    double *time, *error;   /* of the states that were kept, the first one included */
    unsigned long count;
    nh_audit audit; /* its texts are gone */
    char backend[16];
} experiment_motion;

/* Runs all of them, a thread for each processor; every result is the same for any number of threads. */
bool experiment_run_motions(experiment *x, experiment_motion *motions, int count);
void experiment_free_motions(experiment_motion *motions, int count);

/* Motions that differ in one parameter, side by side: what to do, then what came of it. */
typedef struct experiment_ensemble {
    const char *model;
    nh_model_options settings;
    const char *method, *step;
    nh_setting list; /* the parameter and its values */
    long long steps, every;
    long long members; /* that these are */
    double *time;      /* [row], the first one included */
    double *error;     /* E - E(0), [row][member] */
    double *energy;    /* E(0), [member] */
    unsigned long count, rows;
} experiment_ensemble;

/* The same for ensembles. A member that fails is a failure of all. */
bool experiment_run_ensembles(experiment *x, experiment_ensemble *ensembles, int count);
void experiment_free_ensembles(experiment_ensemble *ensembles, int count);

/* Adds a row to the table of claims; its field `figure` is filled in. */
void experiment_claim(experiment *x, nh_claim claim);
/* Writes FIGURE.csv. */
bool experiment_write_table(experiment *x, const char *const *names, const double *const *columns, int count,
                            unsigned long rows);
/* Draws FIGURE.svg and FIGURE.png, unless there is no gnuplot, and frees the figure. The caption, which the figure has
 * already, is for the summary. */
bool experiment_draw(experiment *x, nh_figure *figure, const char *caption);
/* Room for numbers; NULL and an error if there is none. */
double *experiment_numbers(experiment *x, unsigned long count);

/* The slope of a straight line by least squares. */
double experiment_slope(const double *x, const double *y, unsigned long count);

#endif
