/* SPDX-License-Identifier: MIT */
/* The system's C compiler: found, told apart from others, run under a time limit; never through a shell. */
#ifndef NH_NATIVE_COMPILER_H
#define NH_NATIVE_COMPILER_H

#include "base/arena.h"

#include <nonholo/status.h>
#include <stdbool.h>
#include <stddef.h>

enum { NH_WORDS = 64 };

/* Arguments of a command; one too many is remembered and checked once, at the end. */
typedef struct nh_words {
    const char *items[NH_WORDS];
    size_t count;
    bool full;
} nh_words;

void nh_words_add(nh_words *words, const char *word);
/* Adds the pieces of `text` between blanks; quotes mean nothing. */
void nh_words_split(nh_words *words, nh_arena *arena, const char *text);

typedef struct nh_compiler {
    nh_words command;     /* the first word is the path of a program */
    const char *path;     /* of the program, links resolved */
    const char *identity; /* changes when the command, or a program that it names, does */
} nh_compiler;

/* `command` NULL or blank: $NONHOLO_CC, else the first of cc, gcc, clang on the PATH. Memory is the arena's. */
nh_status nh_compiler_find(const char *command, nh_arena *arena, nh_compiler *out, nh_error *error);

/* Runs the command with more arguments. Whatever it writes besides its output stays inside `directory`. */
nh_status nh_compiler_run(const nh_compiler *compiler, const nh_words *arguments, const char *directory,
                          double time_limit, nh_error *error);

#endif
