/* SPDX-License-Identifier: MIT */
/* Checkpoints: members on disk, bit for bit.
 *
 *     nonholo checkpoint 4        a line of text for each field, in the order of the table in checkpoint.c
 *     kind run
 *     …
 *                                 an empty line
 *     numbers                     [member][place], as they are in memory
 *     fates                       one byte for each member
 *     hash                        16 hexadecimal digits, of all before, and a line end
 *
 * A file is written under another name, brought to the disk and renamed: a process that is killed leaves the file
 * before or the file after. */
#ifndef NH_SIM_CHECKPOINT_H
#define NH_SIM_CHECKPOINT_H

#include "base/text.h"
#include "expr/program.h"

#include <nonholo/sim.h>

typedef struct nh_checkpoint {
    char kind[32];                         /* run or ensemble */
    char version[32], model[256];          /* for people; not compared */
    char method[256], numbers[32];         /* in full; "binary64 little" */
    char coefficients[40];                 /* hash: a file of the same name may have other ones */
    char arithmetic[32];                   /* where elementary functions come from, and large factors */
    char functions[40], start[40];         /* hashes: of all functions of the model, of the members at the start */
    long long members, size;               /* number of members, numbers of each */
    long long step;                        /* steps done */
    long long first, seen;                 /* the step from which rows are counted; the last one that was observed */
    long long mark[NH_MARKS], nanoseconds; /* the caller's; of the step loop so far */
    const void *number;                    /* [members][size] */
    const unsigned char *fate;             /* [members] */
} nh_checkpoint;

/* Fields that do not depend on the state, but for the number of members and the start. */
nh_status nh_checkpoint_describe(nh_checkpoint *c, const char *kind, const nh_sim *sim, nh_error *error);
size_t nh_checkpoint_number(const nh_checkpoint *c); /* bytes of a number */

nh_status nh_checkpoint_write(const nh_checkpoint *c, const char *path, nh_error *error);
/* A file that fits what is wanted; *out points into *bytes, which the caller frees. */
nh_status nh_checkpoint_read(const char *path, const nh_checkpoint *wanted, nh_checkpoint *out, nh_text *bytes,
                             nh_error *error);
/* Any checkpoint, from memory, which must be aligned for any type; `file` is for messages. *out points into it. */
nh_status nh_checkpoint_parse(const void *bytes, size_t length, const char *file, nh_checkpoint *out, nh_error *error);
/* NH_FILE, with what is different, where a file is not of the same motions. */
nh_status nh_checkpoint_fits(const nh_checkpoint *is, const nh_checkpoint *wanted, const char *file, nh_error *error);
/* The hash at the end of a file whose other bytes these are. */
void nh_checkpoint_seal(const void *bytes, size_t length, char hex[17]);

#endif
