/* SPDX-License-Identifier: MIT */
/* What is known of a system and of a method before the first step: bits, constant in compiled code. */
#define NH_MASS_CONSTANT 1u  /* L_vv depends on parameters only */
#define NH_MASS_DIAGONAL 2u  /* … and is diagonal */
#define NH_NONIDEAL      4u  /* the reaction is not K^T lambda */
#define NH_SAME_MATRICES 8u  /* A^ = A~: forces and reactions are added up first */
#define NH_COLLOCATED    16u /* "standard" collocation: k = 0 at every stage, and not at the end */
#define NH_MIDPOINT      32u /* k = 0 at (t_0 + h/2, q_0 + h/2 V_1, V_1) in place of (6.1e) */
/* What K depends on feels no reaction: the constraint at the end is linear in lambda. */
#define NH_LINEAR_MULTIPLIER 64u
#define NH_STABILISED        128u /* extra multipliers for g_q v + g_t = 0 beside g = 0; in the second gear only */
#define NH_MOMENTUM_LINEAR   256u /* L_v = M v, M constant */
#define NH_MASS_UNIT         512u /* L_vv = 1 */
/* L_v = v; forces, reactions and K depend on t, q and multipliers only, and there is no g: SPARK iterates without
 * velocities of coordinates that feel no reaction. */
#define NH_SECOND_ORDER 1024u
#define NH_AFFINE       2048u  /* L_v and k are affine in v: one correction of a velocity is exact */
#define NH_CONTROLLED   4096u  /* steps are made of others, as long as an error allows */
#define NH_LEAPING      8192u  /* sequences are of (7.3), where that is linear in the multipliers */
#define NH_BY_ROWS      16384u /* (7.3) makes the matrices of its derivative, not column by column */

/* NH_TOUCHED(i): reactions change the velocity of coordinate i. Where they do not, in a system with a constant diagonal
 * mass, nothing is computed of them. NH_WATCHED(i): constraints, or L_v, depend on coordinate i. NH_ORDER[k]: the
 * coordinates, NH_BOUND of them first, whose velocities a step of SPARK has to iterate: those that are touched, or all
 * where NH_SECOND_ORDER does not hold. */

/* Which entries of the dense matrices of a saddle-point factor (saddle.h) need not be zero: one table of marks,
 * NH_ENTRY, where they are in turn. Matrices of many coordinates have no such table, and all entries. */
#define NH_IN_MASS(i, j)    NH_ENTRY((i)*n + (j)) /* i > j: L of L_vv = L D L^T; i < j: L^-1, transposed */
#define NH_IN_INVERSE(i, j) NH_ENTRY((n + (i)) * n + (j))
#define NH_IN_ROWS(c, i)    NH_ENTRY((2 * n + (c)) * n + (i))                                     /* D */
#define NH_IN_COLUMNS(c, i) NH_ENTRY((2 * n + (m + l) + (c)) * n + (i))                           /* C, transposed */
#define NH_IN_LIFT(c, i)    NH_ENTRY((2 * n + 2 * (m + l) + (c)) * n + (i))                       /* W, transposed */
#define NH_IN_GRAM(r, c)    NH_ENTRY((2 * n + 3 * (m + l)) * n + (r) * (m + l) + (c))             /* L and U of D W */
#define NH_IN_LOWER(r, c)   NH_ENTRY((2 * n + 3 * (m + l)) * n + ((m + l) + (r)) * (m + l) + (c)) /* L^-1 */
/* L and U of D W where rows are exchanged, which may bring the entries of one into another. */
#define NH_PIVOTED_FROM     ((2 * n + 3 * (m + l)) * n + 2 * (m + l) * (m + l))
#define NH_IN_PIVOTED(r, c) NH_ENTRY(NH_PIVOTED_FROM + (r) * (m + l) + (c))
#define NH_ENTRIES          (NH_PIVOTED_FROM + (m + l) * (m + l))

/* Loops over so many coordinates, at most, are written out in compiled code. */
#define NH_FEW_COORDINATES 32
