/* SPDX-License-Identifier: MIT */
/* The derived functions that kernels call, by number; function 0 makes the constants. Macros, not an enumeration:
 * generated code makes names of them. */
#define NH_F_MOMENTUM   1  /* L_v(t,q,v) [n] */
#define NH_F_FORCE      2  /* L_q + f [n] */
#define NH_F_REACTION   3  /* K^T lambda + g_q^T lambda' + N [n] */
#define NH_F_CONSTRAINT 4  /* k(t,q,v) [m] */
#define NH_F_MASS       5  /* L_vv [n × n]; its diagonal [n] where it is constant and diagonal */
#define NH_F_ROWS       6  /* K = k_v [m × n] */
#define NH_F_ENERGY     7  /* [1] */
#define NH_F_HOLONOMIC  8  /* g(t,q) [l] */
#define NH_F_NORMALS    9  /* g_q [l × n] */
#define NH_F_HIDDEN     10 /* g_q v + g_t [l] */
#define NH_F_COLUMNS    11 /* derivative of the reaction by lambda [n × ml]; only where it is not K^T and g_q^T */
#define NH_F_TANGENT    12 /* of k along q and v [m]; only for (7.3) */
#define NH_F_SLOPES     13 /* k_q [m × n]; only for (7.3) */
#define NH_F_COUNT      14
