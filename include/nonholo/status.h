/* SPDX-License-Identifier: MIT */
/** Status codes and the error object that every fallible function fills in. */
#ifndef NONHOLO_STATUS_H
#define NONHOLO_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined _WIN32 || !defined __GNUC__
#define NH_API
#else
#define NH_API __attribute__((visibility("default")))
#endif

/** One list gives the codes and their messages: X(name, text). */
#define NH_STATUS_LIST(X)                                                                                              \
    X(OK, "success")                                                                                                   \
    X(MEMORY, "out of memory")                                                                                         \
    X(SYNTAX, "the text does not follow the grammar")                                                                  \
    X(NAME, "a name is unknown, reserved or defined twice")                                                            \
    X(MODEL, "the model is not well posed")                                                                            \
    X(VALUE, "a value is out of range or not finite")                                                                  \
    X(LIMIT, "a size limit is exceeded")                                                                               \
    X(FILE, "a file cannot be read or written")                                                                        \
    X(COMPILER, "the C compiler is missing or failed")                                                                 \
    X(USAGE, "the call is wrong")                                                                                      \
    X(CONVERGENCE, "a step did not converge")

typedef enum nh_status {
#define NH_STATUS_ENUM(name, text) NH_##name,
    NH_STATUS_LIST(NH_STATUS_ENUM)
#undef NH_STATUS_ENUM
} nh_status;

/** What went wrong and where. `line` and `column` count from 1; 0 means "no place in a text". */
typedef struct nh_error {
    nh_status status;
    int line, column;
    char file[256];    /**< file or other source of the text, "" if none */
    char message[512]; /**< one sentence: what is wrong, what was expected, what to do */
    char excerpt[512]; /**< the offending line of the text, "" if none */
} nh_error;

/** The fixed text of a status code. */
NH_API const char *nh_status_text(nh_status status);

/** Writes "file:line:column: message" and, where there is one, the line with a caret below it; returns the length as
 * snprintf does. */
NH_API int nh_error_format(const nh_error *error, char *buffer, unsigned long size);

#ifdef __cplusplus
}
#endif
#endif
