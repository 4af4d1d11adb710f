/* SPDX-License-Identifier: MIT */
/* Where the entries of a sparse saddle-point factor are: the same at all points, found once (method/sparsity.c). */
#ifndef NH_KERNEL_SPARSITY_H
#define NH_KERNEL_SPARSITY_H

/* A matrix by rows; `place` says to which entry each number that a derived function gives is added, -1: to none. */
typedef struct nh_sparse_rows {
    int *start;  /* [rows + 1] */
    int *column; /* [start[rows]], ascending in a row */
} nh_sparse_rows;

typedef struct nh_slots {
    int count;
    int *place;
} nh_slots;

/* L U of a sparse matrix by rows, unknown order[k] being number k. */
typedef struct nh_factors {
    int count; /* unknowns */
    nh_sparse_rows LU;
    int *order, *diagonal; /* [count] */
} nh_factors;

/* Where L_vv couples coordinates in chains its inverse is full, and so is W. The whole saddle-point matrix is
 * eliminated then, in an order that mixes coordinates and constraints; constraint c is unknown n + c. */
typedef struct nh_coupled {
    nh_sparse_rows M;        /* L_vv */
    nh_factors of_M;         /* for its own sake */
    int *in_M;               /* entry e of M is there in of_M, */
    int *at_M, *at_C, *at_D; /* and entries of M, C and D are there in the factors of the whole matrix */
} nh_coupled;

typedef struct nh_sparsity {
    const nh_coupled *coupled;   /* NULL: L_vv falls into small blocks, which are inverted */
    int inverse_size, lift_size; /* numbers that are kept of L_vv, and of W */
    nh_slots mass;               /* into the inverse of a block, or into M */
    /* D; and C by its columns, which is D where constraints are ideal. */
    nh_sparse_rows D, C;
    nh_slots rows, normals, columns, slopes; /* slopes, of k_q, for (7.3) only, where D is K + h/2 k_q */
    nh_factors factors;                      /* of D W, or of the whole matrix */

    /* All that follows is for blocks. Block b of L_vv is coordinates member[block[b]] … of it, its inverse is dense,
     * at inverse_at[b]. */
    int blocks, largest_block;
    int *block, *member, *inverse_at; /* [blocks + 1], [n], [blocks + 1] */
    /* W by its columns. Entry e of C acts on the whole block of its coordinate: lift_at[e] is where the block begins in
     * W, from[e] where column e begins in the inverse of the block, size[e] the number of rows of both. */
    nh_sparse_rows W, by_coordinate; /* … and by its rows: entry[e] is where in the other */
    int *entry, *lift_at, *from, *size;
    /* Entry e of D W, as its factors have them, is the sum of D[left] W[right] over term[e] … term[e + 1]; entries
     * without a term fill in. */
    int *term, *left, *right;
} nh_sparsity;

#endif
