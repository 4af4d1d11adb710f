/* SPDX-License-Identifier: MIT */
/* Methods: one-step maps (t, q, v, memory) -> (t+h, q, v, memory). A descriptor is data: what a method is called, what
 * it takes, what it needs, what it claims. Tests measure the claims; nothing else says what a method does. */
#ifndef NH_METHOD_METHOD_H
#define NH_METHOD_METHOD_H

#include "method/option.h"
#include "method/table.h"
#include "tableau/triple.h"

typedef enum nh_kernel_family { NH_KERNEL_SPARK, NH_KERNEL_MP, NH_KERNEL_EXTRAPOLATION } nh_kernel_family;

/* What a method promises, for a number of stages. */
typedef struct nh_method_claims {
    int order;              /* of q and v */
    int order_varying_mass; /* the same where L_vv is not constant */
    bool symmetric;         /* the step with -h undoes the step with h, and so v -> -v does where the system allows */
    bool symmetric_varying_mass;
    bool dalembert;         /* a discrete Lagrange-d'Alembert principle: Jay's theorem 6.1 */
    bool constraint_at_end; /* k = 0 to round-off after every step */
    bool constraint_at_stages;
    bool holonomic; /* takes g(t,q) = 0: g = 0 and its derivative to round-off after every step */
} nh_method_claims;

enum { NH_OPTIONS_MOST = 3 };

typedef struct nh_method {
    const char *name, *about, *citation;
    nh_kernel_family kernel;
    const char *triple;       /* the coefficients of a SPARK method; NULL: from a file */
    int stages;               /* 0: the option s, which comes first */
    unsigned traits;          /* kernel/traits.h */
    bool needs_constant_mass; /* and L = T(v) - U(t,q), forces without v; constraints affine in v */
    nh_method_claims (*claims)(int stages);
    nh_option option[NH_OPTIONS_MOST];
    int options;
    bool needs_ideal_constraints;
} nh_method;

const nh_method *nh_method_get(int number); /* NULL after the last */
const nh_method *nh_method_find(const char *name);

/* A method with its options chosen. Numbers and texts belong to the arena. */
typedef struct nh_choice {
    const nh_method *method;
    const char *spelling; /* in full, like "gauss(s=2)" */
    int stages;
    nh_triple triple; /* of a SPARK method */
    nh_table table;
    unsigned traits;
    bool needs_constant_mass; /* the method, or what was chosen of it */
    nh_method_claims claims;
} nh_choice;

nh_status nh_method_choose(const char *spec, nh_arena *arena, nh_choice *out, nh_error *error);

#endif
