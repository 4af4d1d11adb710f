/* SPDX-License-Identifier: MIT */
/* The setting: C99, one trajectory, sizes and traits of model and method are constants, arrays are local. */

#if NH_FLOAT
#define NH_EPSILON     0x1p-23
#define NH_HALF_DIGITS 0x1p-12
/* Where numbers are cut into head and tail (nh_slope, nh_scale), so that products of heads fit: multiples of their
 * size. */
#define NH_STEP_GRID  0x1p13
#define NH_SLOPE_GRID 0x1p12
#define NH_RATE_GRID  0x1p14
#define NH_INFINITY() HUGE_VALF
#else
#define NH_EPSILON     0x1p-52
#define NH_HALF_DIGITS 0x1p-27
/* Where numbers are cut into head and tail (nh_slope, nh_scale), so that products of heads fit: multiples of their
 * size. */
#define NH_STEP_GRID   0x1p29
#define NH_SLOPE_GRID  0x1p27
#define NH_RATE_GRID   0x1p30
#define NH_INFINITY()  HUGE_VAL
#endif
enum { NH_ITERATIONS = 50, NH_BLOCK = 1 };

#define NH_TRAIT(trait) ((NH_TRAITS & (trait)) != 0)
#define NH_TOUCHED(i)   (nh_touched[i])
#define NH_WATCHED(i)   (nh_watched[i])
#define NH_ORDER        nh_order
#define NH_TABLE        nh_table
#if NH_ENTRIES_MARKED
#define NH_ENTRY(at) (nh_entries[at])
#else
#define NH_ENTRY(at) 1
#endif

#define NH_TAKE(type, name, count)                                                                                     \
    nh_##type name##_array[(count) > 0 ? (count) : 1];                                                                 \
    f.name = name##_array;
#define NH_TAKE_FRAME(f)                                                                                               \
    nh_frame f;                                                                                                        \
    enum { G = s };                                                                                                    \
    NH_FRAME_ARRAYS(NH_TAKE)
