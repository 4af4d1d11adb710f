/* SPDX-License-Identifier: MIT */
/** What a model is, whether it is well posed, and which models the catalogue has. */
#ifndef NONHOLO_REPORT_H
#define NONHOLO_REPORT_H

#include <nonholo/model.h>
#include <nonholo/text.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nh_format {
    NH_FORMAT_TEXT, /**< for people, on a terminal */
    NH_FORMAT_JSON, /**< the same as data */
    NH_FORMAT_LATEX /**< the equations, for a document that uses amsmath */
} nh_format;

/** Sizes, classification and derived equations of a model. The caller frees *out with nh_text_release.
 * Reports derive new expressions from a model: one thread at a time for each model. */
NH_API nh_status nh_describe(const nh_model *model, nh_format format, char **out, nh_error *error);

/** Is the model well posed: regular, its initial data consistent, its derivatives, invariants, symmetries and exact
 * solution right? *well_posed is the verdict, *out the report (text or JSON), freed with nh_text_release. */
NH_API nh_status nh_check(const nh_model *model, nh_format format, int *well_posed, char **out, nh_error *error);

/** The number of models in the catalogue. */
NH_API int nh_catalogue_count(void);
/** The name of a model of the catalogue, by number from 0; NULL beyond the last. */
NH_API const char *nh_catalogue_name(int number);
/** The model file of this name in the catalogue; NULL if there is none. */
NH_API const char *nh_catalogue_text(const char *name);
/** A list of the catalogue (text or JSON): name, kind, sizes, title. The caller frees *out with nh_text_release. */
NH_API nh_status nh_catalogue_list(nh_format format, char **out, nh_error *error);

#ifdef __cplusplus
}
#endif
#endif
