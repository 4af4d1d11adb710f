/* SPDX-License-Identifier: MIT */
/* The table of a SPARK method: vectors of one entry per stage, then matrices [source][target], each row filled up with
 * zeros to a multiple of four. Written by method/spark_table.c. */
#ifndef NH_KERNEL_SPARK_TABLE_H
#define NH_KERNEL_SPARK_TABLE_H

enum nh_spark_vector {
    NH_SPARK_C,
    NH_SPARK_REACH, /* the sums of the rows of A, which need not be c: Radau IA with one stage; and their low parts */
    NH_SPARK_REACH_LOW,
    NH_SPARK_REACH_END, /* the sum of b (first entry): 1 but for digits that a user's file leaves out */
    NH_SPARK_B,
    NH_SPARK_B_HEAD, /* B as a multiple of 2^-24, and the rest */
    NH_SPARK_B_TAIL,
    NH_SPARK_REAL,          /* 1 for stages, 0 for what fills the last block */
    NH_SPARK_NULL,          /* the stage values of k that (6.1e) leaves free: P_(s-1)(c_i) */
    NH_SPARK_LEFT,          /* what annihilates [A~; b] from the left: stages … */
    NH_SPARK_LEFT_END,      /* … and end (first entry) */
    NH_SPARK_INVERSE_END,   /* [A~; b] x = y gives x: the part of the last entry of y */
    NH_SPARK_AHEAD_END,     /* extrapolation of V - v_1 to the end of the next step */
    NH_SPARK_AHEAD_WAY_END, /* what the extrapolated part adds to q_1: b AHEAD */
    NH_SPARK_SQUARE_END,    /* what forces add to q_1: b A^ */
    NH_SPARK_VECTORS
};

enum nh_spark_matrix {
    NH_SPARK_POSITION, /* A, A^, A~, A A^ and their low parts */
    NH_SPARK_FORCE,
    NH_SPARK_REACTION,
    NH_SPARK_SQUARE,
    NH_SPARK_POSITION_LOW,
    NH_SPARK_FORCE_LOW,
    NH_SPARK_REACTION_LOW,
    NH_SPARK_SQUARE_LOW,
    NH_SPARK_INVERSE,        /* [A~; b] x = y gives x: the part of the stages of y */
    NH_SPARK_AHEAD,          /* extrapolation of V - v_1 to the stages of the next step */
    NH_SPARK_AHEAD_WAY,      /* what it adds to positions: A AHEAD */
    NH_SPARK_AHEAD_REACTION, /* of the multipliers */
    NH_SPARK_QUOTIENT,       /* A u = y gives u, up to the null vector: holonomic constraints */
    NH_SPARK_MATRICES
};

#define NH_SPARK_PADDED(s)       (((s) + 3) / 4 * 4)
#define NH_SPARK_TABLE_SIZE(s)   ((NH_SPARK_VECTORS + NH_SPARK_MATRICES * (s)) * NH_SPARK_PADDED(s))
#define NH_SPARK_AT_VECTOR(s, v) ((v)*NH_SPARK_PADDED(s))
#define NH_SPARK_AT_MATRIX(s, a) ((NH_SPARK_VECTORS + (a) * (s)) * NH_SPARK_PADDED(s))

#endif
