/* SPDX-License-Identifier: MIT */
/** Systems given by C functions instead of a model, and their integration: for programs that have the functions
 * already. The same kernels as for models, interpreted sizes, one trajectory. */
#ifndef NONHOLO_SYSTEM_H
#define NONHOLO_SYSTEM_H

#include <nonholo/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Something at (t,q,v), into `out`; matrices are row-major. */
typedef void nh_system_function(void *user, double t, const double *q, const double *v, double *out);
/** Its derivative along (dq,dv). */
typedef void nh_system_tangent(void *user, double t, const double *q, const double *v, const double *dq,
                               const double *dv, double *out);

/** p' = L_q + f + K^T lambda + g_q^T lambda', p = L_v(t,q,v), k(t,q,v) = 0, g(t,q) = 0. */
typedef struct nh_system {
    int coordinates;                /**< n */
    int constraints;                /**< m: of velocities, k(t,q,v) = 0 */
    int holonomic_constraints;      /**< l: of positions, g(t,q) = 0 */
    int constant_mass;              /**< not 0: L_vv is the same everywhere */
    void *user;                     /**< handed to the functions */
    nh_system_function *momentum;   /**< L_v [n] */
    nh_system_function *force;      /**< L_q + f [n] */
    nh_system_function *mass;       /**< L_vv [n × n] */
    nh_system_function *energy;     /**< [1] */
    nh_system_function *constraint; /**< k [m]; NULL if m = 0 */
    nh_system_function *rows;       /**< K = k_v [m × n] */
    nh_system_tangent *tangent;     /**< of k [m]; only the method mp needs it */
    nh_system_function *holonomic;  /**< g [l]; NULL if l = 0 */
    nh_system_function *normals;    /**< g_q [l × n] */
    nh_system_function *hidden;     /**< g_q v + g_t [l] */
} nh_system;

/** A motion of such a system in progress. Stepping allocates nothing. */
typedef struct nh_integrator nh_integrator;

/** From (t,q,v), which must satisfy the constraints, in steps of h by a method like "gauss(s=3)". The system is copied;
 * NH_USAGE says what is missing in it. */
NH_API nh_status nh_integrator_new(const nh_system *system, const char *method, double t, double h, const double *q,
                                   const double *v, nh_integrator **out, nh_error *error);
NH_API void nh_integrator_free(nh_integrator *integrator);

/** `steps` steps. NH_CONVERGENCE: a step has failed, and the state is that of the last good one. */
NH_API nh_status nh_integrator_advance(nh_integrator *integrator, long long steps, nh_error *error);

NH_API double nh_integrator_time(const nh_integrator *integrator);
NH_API const double *nh_integrator_position(const nh_integrator *integrator);   /**< q [n] */
NH_API const double *nh_integrator_velocity(const nh_integrator *integrator);   /**< v [n] */
NH_API const double *nh_integrator_multiplier(const nh_integrator *integrator); /**< of the last stage [m + l] */
NH_API double nh_integrator_energy_error(const nh_integrator *integrator);      /**< largest |E - E(0)| so far */
NH_API double nh_integrator_violation(const nh_integrator *integrator);         /**< largest |k|, |g|, |g_q v + g_t| */
NH_API double nh_integrator_iterations(const nh_integrator *integrator);        /**< per step */

#ifdef __cplusplus
}
#endif
#endif
