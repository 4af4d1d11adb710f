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

typedef struct nh_sparsity {
    /* L_vv falls into blocks: block b is coordinates member[block[b]] … of it, its inverse is dense, at inverse_at[b].
     */
    int blocks, largest_block;
    int *block, *member, *inverse_at; /* [blocks + 1], [n], [blocks + 1] */
    nh_slots mass;
    /* D; and C by its columns, which is D where constraints are ideal. */
    nh_sparse_rows D, C;
    nh_slots rows, normals, columns, slopes; /* slopes, of k_q, for (7.3) only, where D is K + h/2 k_q */
    /* W by its columns. Entry e of C acts on the whole block of its coordinate: lift_at[e] is where the block begins in
     * W, from[e] where column e begins in the inverse of the block, size[e] the number of rows of both. */
    nh_sparse_rows W, by_coordinate; /* … and by its rows: entry[e] is where in the other */
    int *entry, *lift_at, *from, *size;
    /* L U by rows, the constraint order[k] being number k. Entry e of D W is the sum of D[left] W[right] over
     * term[e] … term[e + 1]; entries without a term fill in. */
    nh_sparse_rows LU;
    int *order, *diagonal; /* [ml] */
    int *term, *left, *right;
} nh_sparsity;

#endif
