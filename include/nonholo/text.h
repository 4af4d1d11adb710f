/* SPDX-License-Identifier: MIT */
/** Texts that the library hands out, and help with misspelled words. */
#ifndef NONHOLO_TEXT_H
#define NONHOLO_TEXT_H

#include <nonholo/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Frees a text that a function of the library has made; NULL is fine. */
NH_API void nh_text_release(char *text);

/** Writes a number so that it reads back exactly, with 15 to 17 digits; returns the length as snprintf does. */
NH_API int nh_double_print(double number, char *buffer, unsigned long size);

/** The word of a list that is nearest to `word`, for "did you mean"; NULL if none is near. */
NH_API const char *nh_nearest(const char *word, const char *const *list, int count);

#ifdef __cplusplus
}
#endif
#endif
