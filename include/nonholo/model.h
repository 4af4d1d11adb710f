/* SPDX-License-Identifier: MIT */
/** Models: loading, asking what they are. */
#ifndef NONHOLO_MODEL_H
#define NONHOLO_MODEL_H

#include <nonholo/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A mechanical system as a file describes it. Immutable for its users; functions that derive something from it add to
 * its expressions inside, so use a model from one thread at a time. */
typedef struct nh_model nh_model;

/** A value that replaces what the file says: a size, a parameter, an initial value ("x", "x'", "q[2]"). */
typedef struct nh_setting {
    const char *name;       /**< size, parameter, coordinate or velocity */
    const char *expression; /**< in the model language; may use pi, functions, sizes and parameters */
} nh_setting;

/** What a load takes besides the text. All zero means "as the file says". */
typedef struct nh_model_options {
    const nh_setting *set; /**< sizes and parameters */
    int set_count;
    const nh_setting *initial; /**< initial values */
    int initial_count;
} nh_model_options;

/** Reads a model from a text. `file` is only used in messages. On failure *out is NULL and `error` tells what and
 * where. */
NH_API nh_status nh_model_parse(const char *text, unsigned long length, const char *file,
                                const nh_model_options *options, nh_model **out, nh_error *error);

/** Loads a model by file name or by its name in the catalogue. */
NH_API nh_status nh_model_load(const char *name, const nh_model_options *options, nh_model **out, nh_error *error);

NH_API void nh_model_free(nh_model *model);

#ifdef __cplusplus
}
#endif
#endif
