/* SPDX-License-Identifier: MIT */
/** Exporting: the integrator of one model by one method as C99 that needs nothing but math.h. */
#ifndef NONHOLO_EXPORT_H
#define NONHOLO_EXPORT_H

#include <nonholo/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nh_export_number { NH_EXPORT_DOUBLE, NH_EXPORT_FLOAT } nh_export_number;

typedef struct nh_export_options {
    nh_sim_options sim;      /**< method, step, start and project; they become defaults of the exported code */
    nh_export_number number; /**< the type of its numbers */
    const char *name; /**< prefix of all that it defines, a C identifier; NULL: from the name of the model's file */
} nh_export_options;

NH_API nh_export_options nh_export_options_default(void);

enum { NH_EXPORT_STEPS = 100 }; /**< of a self-test, unless the first gear fails before */

/** A header and a source, to be written to NAME.h and NAME.c; the caller frees the texts by nh_export_free, which does
 * nothing for NULL. */
typedef struct nh_export_files {
    char *name, *header, *source;
    int steps;         /**< of the self-test, which the library has made with the same numbers */
    double tolerance;  /**< of the self-test; 0: to the last bit */
    int memory, stack; /**< numbers that a state remembers; numbers in a step's arrays, which are local */
} nh_export_files;

/** NH_USAGE: a method that does not fit the model or is not exported; NH_NAME: a name that is no identifier of C;
 * NH_CONVERGENCE: the exported code, which has the first gear alone, would not make the first step. */
NH_API nh_status nh_export(const nh_model *model, const nh_export_options *options, nh_export_files *out,
                           nh_error *error);
/** Writes NAME.h and NAME.c into a directory that exists, in place of files that are there: both whole, or NH_FILE and
 * neither. */
NH_API nh_status nh_export_write(const nh_export_files *files, const char *directory, nh_error *error);
NH_API void nh_export_free(nh_export_files *files);

#ifdef __cplusplus
}
#endif
#endif
