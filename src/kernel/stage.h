/* SPDX-License-Identifier: MIT */
/* Stages of a Runge-Kutta method in blocks of NH_BLOCK: nh_real is a quantity of a trajectory, nh_stage of a block of
 * its stages. Either there are trajectories in lanes (NH_BLOCK 1: a stage is a nh_real), or stages in lanes (nh_real is
 * a double). Arrays of stages are [block][component]; tables have an entry for every lane, [place][lane], or every
 * stage.
 *
 * Sums over stages have one order in all settings: to every target stage its own sum, sources in turn; and for sums
 * over all stages four partial sums. Stages that only fill the last block do as the last one does, with weight 0. */

#if NH_BLOCK > 1
NH_INLINE nh_stage nh_all_stages(nh_real x)
{
    return nh_stage_set(x);
}
NH_INLINE nh_real nh_one_stage(const nh_stage *x, int stride, int j)
{
    const unsigned long block = (unsigned)j / NH_BLOCK; /* x [block stride] [j % NH_BLOCK], said cheaply */
    return ((const nh_real *)x)[(unsigned)j + block * NH_BLOCK * ((unsigned)stride - 1ul)];
}
NH_INLINE void nh_put_stage(nh_stage *x, int stride, int j, nh_real value)
{
    ((nh_real *)(x + j / NH_BLOCK * stride))[j % NH_BLOCK] = value;
}
/* Numbers of the trajectory that stand side by side, as if they were stages. */
#define NH_BLOCK_AT(x) (*(nh_stage *)(x))
#else
typedef nh_real nh_stage;
typedef nh_mask nh_stage_mask;
typedef nh_point nh_stage_point;
#define nh_stage_set              nh_set
#define nh_stage_select           nh_select
#define nh_stage_abs              nh_abs
#define nh_stage_any              nh_any
#define nh_stage_lost             nh_lost
#define nh_stage_point_mass       nh_point_mass
#define nh_stage_point_divide     nh_point_divide
#define nh_stage_point_factor     nh_point_factor
#define nh_stage_point_force      nh_point_force
#define nh_stage_point_reaction   nh_point_reaction
#define nh_stage_point_correction nh_point_correction
#define nh_stage_point_constraint nh_point_constraint
#define nh_stage_point_holonomic  nh_point_holonomic
#define nh_stage_point_rows       nh_point_rows
#define nh_stage_point_lift       nh_point_lift
#define nh_stage_point_row        nh_point_row
#define nh_stage_point_lower      nh_point_lower
#define nh_stage_lower_column     nh_lower_column
#define nh_stage_point_upper      nh_point_upper
#define nh_stage_landing          nh_landing
#define nh_stage_land             nh_land
#define nh_stage_land_from        nh_land_from
#define nh_stage_land_velocity    nh_land_velocity
NH_INLINE nh_stage nh_all_stages(nh_real x)
{
    return x;
}
NH_INLINE nh_real nh_one_stage(const nh_stage *x, int stride, int j)
{
    return x[j * stride];
}
NH_INLINE void nh_put_stage(nh_stage *x, int stride, int j, nh_real value)
{
    x[j * stride] = value;
}
#endif

/* What a lane that is done computes is not kept; a single trajectory is never done while it computes. */
#if NH_LANES > 1
#define NH_COMMIT(mask, new, old) nh_select(mask, new, old)
#else
#define NH_COMMIT(mask, new, old) ((void)(mask), (new))
#endif
#if NH_BLOCK > 1
#define NH_STAGE_SELECT(mask, a, b) ((mask) ? (a) : (b))
#else
#define NH_STAGE_SELECT(mask, a, b) nh_select(mask, a, b)
#endif

/* Four partial sums over the stages of one component. */
#if NH_BLOCK > 1
typedef nh_stage nh_parts[1];
#else
typedef nh_stage nh_parts[4];
#endif

NH_INLINE nh_real nh_stage_total(const nh_parts parts)
{
#if NH_BLOCK > 1
    typedef nh_real four __attribute__((vector_size(4 * sizeof(nh_real)), aligned(8), may_alias));
    typedef nh_real two __attribute__((vector_size(2 * sizeof(nh_real)), aligned(8), may_alias));
    const four *half = (const four *)parts;
    four all = half[0];
    if (NH_BLOCK > 4)
        all += half[NH_BLOCK / 4 - 1];
    const two sum = ((const two *)&all)[0] + ((const two *)&all)[1];
    return sum[0] + sum[1];
#else
    return (parts[0] + parts[2]) + (parts[1] + parts[3]);
#endif
}

/* Block g adds a product to its part. Parts, which are 0 before, begin with a product: only where the last block is
 * filled up they begin with the zeros, and a sum of zeros has one sign in all settings. */
NH_INLINE void nh_stage_add(int s, int g, nh_stage product, nh_parts parts)
{
    nh_stage *part = parts + (NH_BLOCK > 1 ? 0 : g & 3);
    *part = s % 4 == 0 && g < (NH_BLOCK > 1 ? 1 : 4) ? product : *part + product;
}

/* sum_i weight_i x_i over all stages of one component, in parts; the same of two products. */
NH_INLINE void nh_stage_parts(int s, const nh_stage *weight, const nh_stage *x, int stride, nh_parts parts)
{
    for (int g = 0; g < (s + NH_BLOCK - 1) / NH_BLOCK; g++)
        nh_stage_add(s, g, weight[g] * x[g * stride], parts);
}
NH_INLINE void nh_stage_parts_2(int s, const nh_stage *weight, const nh_stage *x, int stride, const nh_stage *weight_2,
                                const nh_stage *y, int y_stride, nh_parts parts)
{
    for (int g = 0; g < (s + NH_BLOCK - 1) / NH_BLOCK; g++)
        nh_stage_add(s, g, weight[g] * x[g * stride] + weight_2[g] * y[g * y_stride], parts);
}

NH_INLINE nh_real nh_stage_sum(int s, const nh_stage *weight, const nh_stage *x, int stride)
{
    nh_parts parts = {nh_stage_set(0)};
    nh_stage_parts(s, weight, x, stride, parts);
    return nh_stage_total(parts);
}

#if NH_BLOCK > 1
typedef nh_real nh_four __attribute__((vector_size(4 * sizeof(nh_real)), aligned(8), may_alias));
#if defined(__clang__) || __GNUC__ >= 12
#define NH_PICK(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
typedef long long nh_four_places __attribute__((vector_size(32)));
#define NH_PICK(x, y, a, b, c, d) __builtin_shuffle(x, y, (nh_four_places){a, b, c, d})
#endif

/* nh_stage_total of four components, side by side. */
NH_INLINE nh_four nh_four_totals(const nh_four *a)
{
    const nh_four even = NH_PICK(a[0], a[2], 0, 1, 4, 5) + NH_PICK(a[0], a[2], 2, 3, 6, 7);
    const nh_four odd = NH_PICK(a[1], a[3], 0, 1, 4, 5) + NH_PICK(a[1], a[3], 2, 3, 6, 7);
    return NH_PICK(even, odd, 0, 4, 2, 6) + NH_PICK(even, odd, 1, 5, 3, 7);
}

/* The same of as many components as a block has lanes: what is written number by number cannot soon be read as a
 * vector. */
NH_INLINE nh_stage nh_stage_totals(const nh_parts *parts)
{
    enum { FOURS = NH_BLOCK / 4 };
    const nh_four *part = (const nh_four *)parts;
    nh_stage totals;
    for (int i = 0; i < FOURS; i++) {
        nh_four four[4];
        for (int k = 0; k < 4; k++) {
            four[k] = part[(4 * i + k) * FOURS];
            if (FOURS > 1)
                four[k] += part[(4 * i + k) * FOURS + FOURS - 1];
        }
        ((nh_four *)&totals)[i] = nh_four_totals(four);
    }
    return totals;
}
#endif

/* Many stages do not stay in registers: to say so at the right place saves the compiler a bad choice, of what to spill,
 * or of shuffles where lanes are read one by one. */
#define NH_IN_MEMORY(pointer, count) __asm__("" : "+m"(*(nh_stage(*)[count])(pointer)))
enum { NH_FEW_STAGES = 4 };

/* Blocks of targets that a source has: a row of a matrix. */
#define NH_ROW(s) (((s) + 3) / 4 * 4 / NH_BLOCK)

/* Products with matrices, of `count` components at once: A x, or A x + B z where z is given. Matrices are
 * [source][target], quantities [block][component] with n components, those that `which` lists, or neighbours from
 * `first` on. The result is y = base + (low + A x), where what is NULL is left out. Sums begin with what is low: at
 * their end it is less than half a unit in the last place, is lost there, and is always lost on the same side. */
typedef struct nh_stage_map {
    const nh_stage *A, *B;
    const nh_stage *x, *z;
    int s, n, first, count;
    const int *which;
    const nh_real *base;
    const nh_stage *low;
    nh_stage *y;
} nh_stage_map;

/* Sums of a tile, `blocks` target blocks and `width` components, go on side by side in registers and share what they
 * load. */
enum { NH_TILE_BLOCKS = NH_BLOCK > 4 ? 1 : 2, NH_TILE_WIDTH = NH_BLOCK > 4 ? 8 : 4 };
enum { NH_SOURCES_AT_ONCE = NH_BLOCK > 4 ? 2 : 1 };
typedef nh_stage nh_tile[NH_TILE_BLOCKS][NH_TILE_WIDTH];

/* sum += A x, sources from `first` on, of the components `at`. The loops over sources stay loops: unrolled, compilers
 * gather what belongs to one sum, and its additions wait for each other. */
NH_ALWAYS_INLINE void nh_tile_add(const nh_stage_map *map, int first, const nh_stage *A, const nh_stage *x,
                                  const int *at, int blocks, int width, nh_tile sum)
{
    const int s = map->s;
#pragma GCC unroll 1
    for (int g = 0; g * NH_BLOCK < s; g++) {
        const nh_real *source = (const nh_real *)(x + g * map->n);
        const int sources = s % NH_BLOCK == 0 || (g + 1) * NH_BLOCK < s ? NH_BLOCK : s % NH_BLOCK;
#pragma GCC unroll NH_SOURCES_AT_ONCE
        for (int j = g == 0 ? first : 0; j < sources; j++)
            for (int b = 0; b < blocks; b++)
                for (int k = 0; k < width; k++)
                    sum[b][k] += A[(g * NH_BLOCK + j) * NH_ROW(s) + b] * source[at[k] * NH_BLOCK + j];
    }
}

/* The tile of the components `at`, from block g on. */
NH_ALWAYS_INLINE void nh_tile_at(const nh_stage_map *map, int g, const int *at, int blocks, int width)
{
    nh_tile sum;
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < width; k++) {
            const nh_stage product = map->A[g + b] * nh_one_stage(map->x + at[k], map->n, 0);
            sum[b][k] = map->low ? map->low[(g + b) * map->n + at[k]] + product : product;
        }
    nh_tile_add(map, 1, map->A + g, map->x, at, blocks, width, sum);
    if (map->z)
        nh_tile_add(map, 0, map->B + g, map->z, at, blocks, width, sum);
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < width; k++) {
            const nh_stage y = sum[b][k];
            map->y[(g + b) * map->n + at[k]] = map->base ? map->base[at[k]] + y : y;
        }
    if (map->s > NH_FEW_STAGES && !NH_WORK_SPACE) /* where it is anyway */
        NH_IN_MEMORY(map->y, (map->s + NH_BLOCK - 1) / NH_BLOCK * map->n);
}

/* Of those to do, from the i-th on. As a rule they stand side by side, and compilers make use of it: they are two runs
 * that ascend, so first and last tell. */
NH_ALWAYS_INLINE void nh_tile_map(const nh_stage_map *map, int g, int i, int blocks, int width)
{
    const int *which = map->which;
    const int first = which ? which[i] : map->first + i;
    int at[NH_TILE_WIDTH];
    if (!which || which[i + width - 1] == first + width - 1) {
        for (int k = 0; k < width; k++)
            at[k] = first + k;
        nh_tile_at(map, g, at, blocks, width);
    } else {
        nh_tile_at(map, g, which + i, blocks, width);
    }
}

/* All components at some target blocks. */
NH_ALWAYS_INLINE void nh_stage_map_blocks(const nh_stage_map *map, int g, int blocks)
{
    int i = 0;
    for (; i + NH_TILE_WIDTH <= map->count; i += NH_TILE_WIDTH)
        nh_tile_map(map, g, i, blocks, NH_TILE_WIDTH);
    switch (map->count - i) {
#if NH_BLOCK > 4
    case 7:
        nh_tile_map(map, g, i, blocks, 7);
        break;
    case 6:
        nh_tile_map(map, g, i, blocks, 6);
        break;
    case 5:
        nh_tile_map(map, g, i, blocks, 5);
        break;
    case 4:
        nh_tile_map(map, g, i, blocks, 4);
        break;
#endif
    case 3:
        nh_tile_map(map, g, i, blocks, 3);
        break;
    case 2:
        nh_tile_map(map, g, i, blocks, 2);
        break;
    case 1:
        nh_tile_map(map, g, i, blocks, 1);
        break;
    default:
        break;
    }
}

NH_INLINE void nh_stage_map_all(const nh_stage_map *map)
{
    const int blocks = (map->s + NH_BLOCK - 1) / NH_BLOCK;
    int g = 0;
    if (map->count == 0)
        return;
    if (map->s > NH_FEW_STAGES)
        NH_IN_MEMORY(map->x, blocks * map->n);
    for (; g + NH_TILE_BLOCKS <= blocks; g += NH_TILE_BLOCKS)
        nh_stage_map_blocks(map, g, NH_TILE_BLOCKS);
    if (g < blocks)
        nh_stage_map_blocks(map, g, 1);
}

/* The same pointer, which the compiler cannot know: what has been read there is read again. It would copy more numbers
 * than there are registers to the stack, to have them once more. */
#define NH_AFRESH(x) nh_afresh(x)
NH_INLINE nh_real *nh_afresh(nh_real *x)
{
    __asm__("" : "+r"(x));
    return x;
}
