/* SPDX-License-Identifier: MIT */
/* Coefficients of SPARK methods, L. O. Jay (2009), (6.1): three tableaux with the same weights and nodes,
 *     Q_i = q_0 + h sum_j a_ij V_j                                          (6.1a)
 *     P_i = p_0 + h sum_j a^_ij F_j + h sum_j a~_ij R_j                     (6.1b)
 *     q_1 = q_0 + h sum_j b_j V_j,  p_1 = p_0 + h sum_j b_j (F_j + R_j)     (6.1c), (6.1d)
 *     0 = sum_j omega_ij K_j for i = 1..s-1,  0 = k(t_1, q_1, v_1)          (6.1e), (6.1f)
 * so b^ = b~ = b, and (6.2a) holds. */
#ifndef NH_TABLEAU_TRIPLE_H
#define NH_TABLEAU_TRIPLE_H

#include "tableau/family.h"

/* Immutable; the numbers belong to the arena. b and c are the same arrays in all three. */
typedef struct nh_triple {
    nh_tableau position; /* A */
    nh_tableau force;    /* A^ */
    nh_tableau reaction; /* A~ */
    int reaction_line;   /* where A~ is in the file; 0: it is of no file */
} nh_triple;

/* A method of the list, and what it claims. */
typedef struct nh_triple_method {
    const char *name, *summary;
    nh_family_id position, force, reaction; /* NH_FAMILIES for the one-stage methods that are of no family */
    int smallest, largest;                  /* number of stages */
    int order;                              /* 2s + this */
    bool dalembert;                         /* satisfies (6.2): it is a Lagrange-d'Alembert integrator (theorem 6.1) */
    bool symmetric;                         /* satisfies (6.3) */
} nh_triple_method;

/* Row `index` of the list, NULL after the last. */
const nh_triple_method *nh_triple_method_get(int index);

/* NH_NAME (with the nearest name) if there is no such method, NH_LIMIT if it does not have so many stages. */
nh_status nh_triple_make(nh_arena *arena, const char *method, int stages, nh_triple *out, nh_error *error);

/* From the text of a file: see docs/tableaux.md. `file` is for messages. NH_SYNTAX, NH_VALUE, NH_LIMIT with line and
 * column, NH_MEMORY. Weights add up to 1 and are not 0, nodes are different; whether the numbers make a good method is
 * for nh_triple_measure to say. */
nh_status nh_triple_read(nh_arena *arena, const char *file, const char *text, size_t length, nh_triple *out,
                         nh_error *error);
/* Reads the file too; NH_FILE if it cannot, NH_LIMIT if it is larger than NH_TRIPLE_FILE_MAX bytes. */
enum { NH_TRIPLE_FILE_MAX = 1 << 20 };
nh_status nh_triple_load(nh_arena *arena, const char *path, nh_triple *out, nh_error *error);

/* omega_ij = sqrt(2i-1) b_j P_(i-1)(c_j), i = 1..s-1: omega [(s-1) × s]; nothing for s = 1. Jay's b_j c_j^(i-1) span
 * the same space, hence give the same method, but are nearly dependent for many stages. */
void nh_triple_omega(const nh_triple *triple, nh_quad *omega);

/* High and low parts with one exponent, hence the same parts of b and c. */
nh_status nh_triple_split(nh_arena *arena, const nh_triple *triple, nh_split out[3], nh_error *error);

#endif
