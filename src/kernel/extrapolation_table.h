/* SPDX-License-Identifier: MIT */
/* The table of an extrapolation: vectors of one entry per sequence, each filled up to a multiple of four. Written by
 * method/extrapolation_table.c. */
#ifndef NH_KERNEL_EXTRAPOLATION_TABLE_H
#define NH_KERNEL_EXTRAPOLATION_TABLE_H

enum nh_extrapolation_vector {
    NH_EXTRAPOLATION_PAIRS, /* of midpoint steps */
    NH_EXTRAPOLATION_END, /* pairs of it and of those before it in its lane, of four lanes; 0 for what fills a block */
    NH_EXTRAPOLATION_WEIGHT, /* in the result */
    NH_EXTRAPOLATION_DOUBT,  /* in the result less that of all sequences but the first, which has two orders less */
    NH_EXTRAPOLATION_DEMAND, /* 1 / tol (first entry) */
    NH_EXTRAPOLATION_RUNG,   /* how much the error grows with a step that is longer by a rung (first entry) */
    NH_EXTRAPOLATION_VECTORS
};

/* The order of the sequences of 1, 2, … s pairs: from block to block of four they become shorter, and go up and down in
 * turns, so that all lanes have about as much to do. The longest is the last one of the first block. */
#define NH_EXTRAPOLATION_MOST(s, g)  ((s) - (g) / 4 * 4) /* pairs, in the block of sequence g */
#define NH_EXTRAPOLATION_LEAST(s, g) (NH_EXTRAPOLATION_MOST(s, g) < 4 ? 1 : NH_EXTRAPOLATION_MOST(s, g) - 3)
#define NH_EXTRAPOLATION_PAIRS_OF(s, g)                                                                                \
    ((g) / 4 % 2 ? NH_EXTRAPOLATION_MOST(s, g) - (g) % 4 : NH_EXTRAPOLATION_LEAST(s, g) + (g) % 4)
#define NH_EXTRAPOLATION_LONGEST(s) ((s) < 4 ? (s)-1 : 3)

/* Steps become longer or shorter by rungs of 2^(1/4), at most four times as long and not less than an eighth; and so
 * many may be tried for one step of a member. */
enum { NH_RUNGS_UP = 8, NH_RUNGS_DOWN = 12, NH_TRIES = 10000 };

#define NH_EXTRAPOLATION_PADDED(s)       (((s) + 3) / 4 * 4)
#define NH_EXTRAPOLATION_TABLE_SIZE(s)   (NH_EXTRAPOLATION_VECTORS * NH_EXTRAPOLATION_PADDED(s))
#define NH_EXTRAPOLATION_AT_VECTOR(s, v) ((v)*NH_EXTRAPOLATION_PADDED(s))

#endif
