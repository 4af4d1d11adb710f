/* SPDX-License-Identifier: MIT */
/* A C text as a list of tokens, blanks and comments among them: written out again it is the same text. */
#ifndef NH_EXPORT_CTOKEN_H
#define NH_EXPORT_CTOKEN_H

#include "base/arena.h"
#include "base/text.h"

typedef enum nh_ctoken_kind {
    NH_CTOKEN_BLANK, /* also a newline behind a backslash */
    NH_CTOKEN_NEWLINE,
    NH_CTOKEN_COMMENT,
    NH_CTOKEN_NAME,
    NH_CTOKEN_NUMBER,
    NH_CTOKEN_QUOTED,
    NH_CTOKEN_MARK /* an operator or a bracket */
} nh_ctoken_kind;

typedef struct nh_ctoken {
    nh_ctoken_kind kind;
    const char *text; /* of the source, or of the arena */
    int length;
    bool dropped;
} nh_ctoken;

typedef struct nh_ctokens {
    nh_arena arena;
    nh_ctoken *item;
    int count;
    size_t capacity;
    bool failed;
} nh_ctokens; /* all zero is empty */

/* Appends the tokens of a text, which must outlive them. */
void nh_ctokens_read(nh_ctokens *t, const char *text);
void nh_ctokens_free(nh_ctokens *t);

bool nh_ctoken_is(const nh_ctoken *token, const char *text);
bool nh_ctoken_same(const nh_ctoken *a, const nh_ctoken *b);
/* Replaces what a token says. */
void nh_ctoken_set(nh_ctokens *t, int at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The first token from `at` on (the last one before it) that is neither dropped nor blank; `end` (-1) if none. */
int nh_ctokens_next(const nh_ctokens *t, int at, int end);
int nh_ctokens_before(const nh_ctokens *t, int at);
/* Behind the bracket that closes the one at `at`. */
int nh_ctokens_close(const nh_ctokens *t, int at, int end);
void nh_ctokens_drop(nh_ctokens *t, int from, int to);
/* The end of the preprocessor's line that begins at `at`: behind its newline. */
int nh_ctokens_line_end(const nh_ctokens *t, int at, int end);
/* Is this a # that begins a preprocessor's line? */
bool nh_ctokens_is_directive(const nh_ctokens *t, int at);
/* Writes what is not dropped, without blanks at the ends of lines and without two empty lines in a row. */
void nh_ctokens_write(const nh_ctokens *t, int from, int to, nh_text *out);

#endif
