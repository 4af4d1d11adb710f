/* SPDX-License-Identifier: MIT */
/* What kind of system a model is: constraints, regularity, energy, integrability, reversibility, symmetries, traits.
 *
 * Answers come from the expressions where they can be proved there (for all parameter values), and otherwise from
 * evaluation in quad precision at a few random points near the initial data, with the model's parameters. The random
 * numbers are always the same ones. Points lie on the constraints: g(t,q) = 0, k(t,q,v) = 0. */
#ifndef NH_ANALYSIS_CLASSIFY_H
#define NH_ANALYSIS_CLASSIFY_H

#include "model/model.h"

typedef enum nh_answer {
    NH_UNKNOWN, /* not defined for this system, or not decided */
    NH_NO,
    NH_YES
} nh_answer;

typedef struct nh_finding {
    nh_answer answer;
    bool proved; /* follows from the expressions; else seen at random points */
} nh_finding;

/* --- constraints --- */

typedef enum nh_form {
    NH_FORM_LINEAR,   /* k = a(t,q)·v */
    NH_FORM_AFFINE,   /* k = a(t,q)·v + b(t,q), b not 0 */
    NH_FORM_NONLINEAR /* in v */
} nh_form;

/* One family of velocity constraints; its one-form is ω = a·dq + b dt. */
typedef struct nh_constraint_class {
    const char *label; /* NULL if it has none */
    int first, count;  /* rows of k */
    nh_form form;
    bool form_known; /* false: not decided; `form` is the most general one that the expressions allow */
    bool form_proved;
    bool time_dependent;    /* t occurs in k */
    nh_finding homogeneous; /* Kv = 0 wherever k = 0: an ideal reaction does no work */
    nh_finding integrable; /* ω∧dω = 0 of each row alone: a holonomic constraint in disguise; unknown if nonlinear */
    nh_finding exact;      /* dω = 0: k is the time derivative of a function; unknown if nonlinear */
} nh_constraint_class;

/* --- regularity at the initial point --- */

typedef struct nh_regularity {
    bool evaluated;        /* false: nothing below but `index` of an ordinary equation means anything */
    bool mass_regular;     /* L_vv (Jay 2.5); J of a Hamiltonian system; true for a DAE */
    double mass_condition; /* in the 2-norm; infinite if singular */
    bool saddle_regular; /* [[L_vv, Kᵀ], [K, 0]] with the rows of g_q (Jay 2.4), [[L_vv, −R_λ], [D, 0]] with D of the
                            same rows where the reaction R is not ideal; g_y f_z of a DAE; the Hessian of H on ker J */
    double saddle_condition;
    bool no_multipliers; /* why not regular: no λ were found that a nonideal reaction, not affine in them, needs */
    bool estimated;      /* the system is large: conditions are estimates from below */
    int rank;            /* of K and g_q together (g_y of a DAE; J) */
    int rows;            /* their number: more than the rank means redundant or singular constraints */
    bool rank_clear;     /* no singular value lies between zero and clearly not zero */
    int index;           /* of the DAE: 0 is an ordinary differential equation; -1: not decided, or higher */
    double residual;     /* largest |k|, |g|, |g_q v + g_t| of the initial data */
} nh_regularity;

/* --- energy --- */

enum {
    NH_ENERGY_TIME = 1,       /* L depends on time */
    NH_ENERGY_FORCE = 2,      /* forces do work */
    NH_ENERGY_REACTION = 4,   /* the nonideal reaction does work */
    NH_ENERGY_CONSTRAINT = 8, /* a velocity constraint does work: Kv is not 0 on it */
    NH_ENERGY_HOLONOMIC = 16  /* a holonomic constraint depends on time */
};

typedef struct nh_energy_class {
    nh_finding conserved; /* unknown: the system has no energy (DAE) */
    unsigned reasons;     /* NH_ENERGY_…: why not */
} nh_energy_class;

/* --- integrability --- */

enum { NH_GROWTH_MOST = 40 };

/* Dimensions of D, D + [D,D], D + [D,D] + [D,[D,D]], … at a point, up to where they end. */
typedef struct nh_growth {
    bool defined;
    int length;
    int dimension[NH_GROWTH_MOST];
    bool complete;     /* false: not decided beyond the last dimension; `limit` tells why */
    const char *limit; /* "" or what was met first: the cap on brackets, on expressions, on their depth, … */
    bool clear;        /* every rank was decided by a clear gap between singular values */
} nh_growth;

/* The distribution D = ker(K, g_q) on Q; on Q×R, with the dt column, where a constraint is affine or depends on time.
 */
typedef struct nh_distribution {
    bool defined;          /* false: no constraints, nonlinear ones, or no point where they can be evaluated */
    const char *reason;    /* why it is not defined; "" */
    bool with_time;        /* on Q×R */
    int dimension;         /* of that space */
    int rank;              /* of D at a generic point */
    nh_finding integrable; /* D is involutive */
    int integrals;         /* functions that are constant on all admissible motions, besides the holonomic constraints:
                              dimension − rank of the Lie algebra of D − declared ones; -1: not decided */
    nh_growth generic;     /* at a random point near the initial data */
    nh_growth initial;     /* at the initial point */
    bool large;            /* too large for brackets: from dω on D×D, which gives two entries of `generic` at most */
    int form_rank;         /* large, one constraint: the rank of dω on D; -1: not computed */
} nh_distribution;

/* --- reversal v → −v --- */

enum {
    NH_REVERSAL_TIME = 1,       /* something depends on time */
    NH_REVERSAL_LAGRANGIAN = 2, /* L(q,−v) is not L(q,v) */
    NH_REVERSAL_CONSTRAINT = 4, /* k(q,−v) is not ±k(q,v) */
    NH_REVERSAL_FORCE = 8,      /* f(q,−v) is not f(q,v) */
    NH_REVERSAL_REACTION = 16   /* N(q,−v,±λ) is not N(q,v,λ) */
};

typedef struct nh_reversal {
    nh_finding reversible; /* unknown for a DAE or a Hamiltonian system */
    unsigned reasons;      /* NH_REVERSAL_…: why not */
    int *sign;             /* [m + holonomic]: λ → sign·λ; 0 where k is neither odd nor even */
} nh_reversal;

/* --- symmetries --- */

typedef struct nh_symmetry_class {
    const char *name;
    nh_finding lagrangian;  /* leaves L invariant */
    nh_finding constraints; /* leaves k = 0 and g = 0 invariant (yes where there are none) */
    nh_finding horizontal;  /* ξ is a virtual displacement: Kξ = 0, g_q ξ = 0 */
    nh_finding unforced;    /* f·ξ = 0 and N·ξ = 0 */
    nh_finding conserved;   /* L_v·ξ is conserved: all of lagrangian, horizontal, unforced. Else it obeys the momentum
                               equation d/dt(L_v·ξ) = (ξL) + f·ξ + N·ξ + λᵀKξ */
} nh_symmetry_class;

/* Invariant symmetries that form an algebra V with D ⊕ V the whole tangent space: the motion reduces to shape space. */
typedef struct nh_chaplygin {
    nh_answer answer;     /* unknown: no velocity constraints, or there are forces, whose symmetry is not looked at */
    int count, *symmetry; /* which of the declared symmetries */
    int shape_dimension;
    bool at_initial; /* the sum is also direct at the initial point */
} nh_chaplygin;

/* --- traits: proved for all parameter values --- */

typedef struct nh_traits {
    bool autonomous;    /* t occurs nowhere in the equations */
    bool mass_constant; /* L_vv depends on parameters only */
    bool mass_diagonal;
    bool mass_unit;       /* L_vv = 1 */
    bool momentum_linear; /* L_v = L_vv v, L_vv constant */
    bool mass_depends_on_q, mass_depends_on_v, mass_depends_on_t;
    bool lagrangian_quadratic; /* L is a polynomial of degree 2, at most, in v */
    bool lagrangian_split;     /* L_qv = 0: L = T(t,v) − U(t,q) */
    bool potential_separable;  /* … and L_qq is diagonal */
    bool constraints_linear;   /* in v */
    bool constraints_affine;   /* in v; linear included */
    bool K_constant;           /* K depends on parameters only */
    bool K_affine_in_q;        /* K is a polynomial of degree 1, at most, in q */
    bool force, force_by_velocity;
    bool reaction;               /* there is a nonideal reaction */
    bool reaction_affine;        /* … affine in λ */
    bool *no_reaction;           /* [n]: K, g_q and N have no entry for this coordinate */
    bool *K_depends_on;          /* [n]: K depends on this coordinate */
    bool *constraints_depend_on; /* [n]: k or g_q does, or may */
    int64_t mass_entries, K_entries, g_entries, L_qq_entries, L_qv_entries; /* structural nonzeros */
} nh_traits;

typedef struct nh_classification {
    nh_arena arena;
    nh_kind kind;
    int n, m, holonomic;
    const char *not_finite; /* "" or what cannot be evaluated at the initial point: "initial data", "L_vv", "K", … */
    bool too_large;         /* dense matrices of the system would not fit: what needs them is not looked at */
    int samples;            /* random points that the answers rest on; 0: none could be found */
    const char *no_samples; /* "" or why there are none */
    nh_constraint_class *constraint; /* one per family of the model */
    int constraints;
    nh_regularity regularity;
    nh_energy_class energy;
    nh_distribution distribution;
    nh_reversal reversal;
    nh_symmetry_class *symmetry;
    int symmetries;
    nh_chaplygin chaplygin;
    nh_traits traits;
} nh_classification;

/* Classifies a model. Labels and names belong to the model. What cannot be decided is no failure: only memory and
 * limits of the graph are. The caller frees the result. */
nh_status nh_classify(const nh_model *m, nh_classification **out, nh_error *error);
/* Traits and reversal alone: what a run needs to know. */
nh_status nh_classify_briefly(const nh_model *m, nh_classification **out, nh_error *error);
void nh_classification_free(nh_classification *c);

#endif
