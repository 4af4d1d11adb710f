/* SPDX-License-Identifier: MIT */
/* With stages in lanes, what depends on the number type is there twice: under its own names for a trajectory, and under
 * these for a block of its stages; stage_names_end.h takes them back. */
#define nh_real             nh_stage
#define nh_mask             nh_stage_mask
#define nh_set              nh_stage_set
#define nh_select           nh_stage_select
#define nh_not              nh_stage_not
#define nh_any              nh_stage_any
#define nh_abs              nh_stage_abs
#define nh_sqrt             nh_stage_sqrt
#define nh_min              nh_stage_min
#define nh_max              nh_stage_max
#define nh_less             nh_stage_less
#define nh_sign             nh_stage_sign
#define nh_eliminate        nh_stage_eliminate
#define nh_invert           nh_stage_invert
#define nh_balance          nh_stage_balance
#define nh_solve_lower      nh_stage_solve_lower
#define nh_solve_upper      nh_stage_solve_upper
#define nh_multiply         nh_stage_multiply
#define nh_lost             nh_stage_lost
#define nh_gain             nh_stage_gain
#define nh_point            nh_stage_point
#define nh_point_mass       nh_stage_point_mass
#define nh_point_weights    nh_stage_point_weights
#define nh_weight           nh_stage_weight
#define nh_point_divide     nh_stage_point_divide
#define nh_point_factor     nh_stage_point_factor
#define nh_point_force      nh_stage_point_force
#define nh_point_reaction   nh_stage_point_reaction
#define nh_point_correction nh_stage_point_correction
#define nh_point_constraint nh_stage_point_constraint
#define nh_point_holonomic  nh_stage_point_holonomic
#define nh_point_lift       nh_stage_point_lift
#define nh_point_row        nh_stage_point_row
#define nh_point_lower      nh_stage_point_lower
#define nh_point_upper      nh_stage_point_upper
