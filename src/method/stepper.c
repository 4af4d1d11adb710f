/* SPDX-License-Identifier: MIT */
#include "method/stepper.h"

#include "base/line.h"
#include "kernel/functions.h"
#include "kernel/traits.h"
#include "method/entries.h"
#include "method/fit.h"
#include "method/gear.h"
#include "method/library.h"
#include "method/size.h"
#include "method/sparsity.h"
#include "model/derived.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void native_advance(const double *table, double *batch, double *work);
typedef void native_function(const double *c, const double *const *x, double *y);

#define SECONDS_PER_LINE 2e-4 /* of a function, for a compiler */

struct nh_stepper {
    const nh_model *model;
    nh_arena arena;
    nh_choice choice;
    nh_classification *classification;
    nh_stepper_setting setting;
    nh_stepper_wishes wishes;
    nh_shape shape;
    nh_program *program;
    nh_kernel kernel;
    void *single_work;    /* of the interpreter, for one point … */
    void *wide_work;      /* … and for four or eight, trajectories or stages */
    void *kernel_work;    /* where kernel.work is */
    void *parameters;     /* room */
    double marks_seconds; /* that compilers take for kernel.entries */
    nh_native *native;
    nh_library library;
    nh_kernel_advance *in_library; /* the one of these that is used in double precision */
    native_advance *advance;       /* NULL: the library's kernel, even if its functions are compiled */
    void *native_work;
    native_function *function[NH_F_COUNT], *stage_function[NH_F_COUNT];
    nh_gear *gear; /* NULL: the step has too many unknowns for it, or none */
    void *member;  /* room for one, taken out of a batch */
};

const nh_choice *nh_stepper_choice(const nh_stepper *s)
{
    return &s->choice;
}

const nh_kernel *nh_stepper_kernel(const nh_stepper *s)
{
    return &s->kernel;
}

const nh_program *nh_stepper_program(const nh_stepper *s)
{
    return s->program;
}

const nh_classification *nh_stepper_classification(const nh_stepper *s)
{
    return s->classification;
}

const nh_native *nh_stepper_native(const nh_stepper *s)
{
    return s->native;
}

/* For long formulas, and for matrices without their zeros. */
double nh_stepper_build_seconds(const nh_stepper *s)
{
    double seconds = s->kernel.entries ? s->marks_seconds : 0;
    for (int f = 0; f < nh_program_functions(s->program); f++)
        seconds += nh_program_length(s->program, f) * SECONDS_PER_LINE;
    return seconds;
}

int nh_stepper_lanes(const nh_stepper *s)
{
    return s->shape.width * s->shape.groups;
}

int nh_stepper_size(const nh_stepper *s)
{
    return (int)nh_member_size(&s->kernel);
}

size_t nh_stepper_at(const nh_stepper *s, int member, int place)
{
    const size_t width = (size_t)s->shape.width, size = nh_member_size(&s->kernel), lane = (size_t)member;
    return (lane / width * size + (size_t)place) * width + lane % width;
}

void nh_stepper_put(const nh_stepper *s, const double *x, double *batch, int member)
{
    double *to = batch + nh_stepper_at(s, member, 0);
    const size_t size = nh_member_size(&s->kernel), width = (size_t)s->shape.width;
    for (size_t i = 0; i < size; i++)
        to[i * width] = x[i];
}

void nh_stepper_take(const nh_stepper *s, const double *batch, int member, double *x)
{
    const double *from = batch + nh_stepper_at(s, member, 0);
    const size_t size = nh_member_size(&s->kernel), width = (size_t)s->shape.width;
    for (size_t i = 0; i < size; i++)
        x[i] = from[i * width];
}

/* ---- The interpreter behind the kernel ---- */

static void call_1(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_stepper *s = user;
    nh_tape_run_1(s->program, function, c, (const double *const *)x, y, s->single_work);
}

static void call_4(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_stepper *s = user;
    nh_tape_run_4(s->program, function, c, (const double *const *)x, y, s->wide_work);
}

static void call_8(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_stepper *s = user;
    nh_tape_run_8(s->program, function, c, (const double *const *)x, y, s->wide_work);
}

static void call_quad(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_stepper *s = user;
    nh_tape_run_quad(s->program, function, c, (const nh_quad *const *)x, y, s->single_work);
}

/* Compiled functions, behind the library's kernel for sparse systems. */
static void call_native(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_stepper *s = user;
    s->function[function](c, (const double *const *)x, y);
}

static void call_native_stages(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_stepper *s = user;
    s->stage_function[function](c, (const double *const *)x, y);
}

/* ---- Making ---- */

static nh_status derive(nh_stepper *s, nh_error *error)
{
    nh_request list[NH_F_COUNT] = {
        [NH_F_MOMENTUM] = {.of = NH_OF_MOMENTUM},
        [NH_F_FORCE] = {.of = NH_OF_FORCE},
        [NH_F_REACTION] = {.of = NH_OF_REACTION},
        [NH_F_CONSTRAINT] = {.of = NH_OF_CONSTRAINT},
        [NH_F_MASS] = {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}},
        [NH_F_ROWS] = {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}},
        [NH_F_ENERGY] = {.of = NH_OF_ENERGY},
        [NH_F_HOLONOMIC] = {.of = NH_OF_HOLONOMIC},
        [NH_F_NORMALS] = {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}},
        [NH_F_HIDDEN] = {.of = NH_OF_HIDDEN},
        [NH_F_COLUMNS] = {.of = NH_OF_REACTION, .order = 1, .by = {NH_LAMBDA}},
        [NH_F_TANGENT] = {.of = NH_OF_CONSTRAINT, .tangent = 1u << NH_Q | 1u << NH_V},
        [NH_F_SLOPES] = {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_Q}},
    };
    for (int f = 0; f < NH_F_COUNT && s->kernel.sparsity; f++)
        if (f == NH_F_MASS || f == NH_F_ROWS || f == NH_F_NORMALS || f == NH_F_COLUMNS || f == NH_F_SLOPES)
            list[f].layout = NH_SPARSE;
    if (s->kernel.traits & NH_MASS_DIAGONAL)
        list[NH_F_MASS] = (nh_request){.of = NH_OF_MOMENTUM, .tangent = 1u << NH_V};
    const int last = s->choice.method->kernel == NH_KERNEL_MP ? NH_F_SLOPES : NH_F_COLUMNS;
    return nh_derive_program(s->model, list + 1, last, &s->program, error);
}

enum { STAGES_IN_LANES = 4 };
enum { MANY_COORDINATES = 4 }; /* for one stage, see block_of */

/* Interleaved groups of `mp`, whose step is short, and waits for latencies; one of SPARK methods has thousands of
 * instructions. */
enum { MP_GROUPS = 2 };
_Static_assert(8 * MP_GROUPS <= NH_STEPPER_MOST_LANES, "there is room for the widest registers");

/* Numbers of the library's kernel. */
static size_t kernel_work(const nh_stepper *s)
{
    return s->kernel.call_stages ? s->library.stages_work(&s->kernel)
                                 : s->library.work(&s->kernel) * (size_t)nh_stepper_lanes(s);
}

/* Memory for one kind of number, taken once. */
static nh_status take_work(nh_stepper *s, nh_error *error)
{
    const size_t number = s->setting == NH_IN_QUAD ? sizeof(nh_quad) : sizeof(double);
    const bool eight = nh_stepper_lanes(s) == 8;
    s->wide_work = calloc((nh_program_work(s->program) + 1) * (eight ? 8 : 4), sizeof(double));
    s->single_work = calloc(nh_program_work(s->program) + 1, number);
    s->parameters = calloc((size_t)s->model->parameters + 1, number);
    s->member = calloc(nh_member_size(&s->kernel), number);
    s->kernel_work = calloc(kernel_work(s) * number + NH_LINE, 1);
    if (!s->wide_work || !s->single_work || !s->parameters || !s->member || !s->kernel_work)
        return nh_fail(error, NH_MEMORY, "out of memory");
    s->kernel.work = nh_line_in(s->kernel_work);
    if (s->setting == NH_IN_QUAD) {
        nh_tape_prepare_quad(s->program, s->single_work);
        return NH_OK;
    }
    (eight ? nh_tape_prepare_8 : nh_tape_prepare_4)(s->program, s->wide_work);
    nh_tape_prepare_1(s->program, s->single_work);
    return NH_OK;
}

/* Batches of another shape: the table of the method gets an entry for every lane. */
static nh_status shape_batches(nh_stepper *s, nh_shape shape, nh_error *error)
{
    const int size = s->choice.table.size, width = shape.width;
    if (width > 1 && size > 0) {
        char *memory = NH_NEW(&s->arena, char, (size_t)(size * width) * sizeof(double) + NH_LINE);
        if (!memory)
            return nh_fail(error, NH_MEMORY, "out of memory");
        double *table = nh_line_in(memory);
        for (int i = 0; i < size * width; i++)
            table[i] = s->choice.table.in_double[i / width];
        s->kernel.table = table;
    }
    s->shape = shape;
    return NH_OK;
}

/* AVX-512 has twice the lanes, and twice the registers for one trajectory. But for its sake compilers may not vectorise
 * loops by themselves (native.c), and methods of many stages and models of many coordinates lose more by that. */
static bool likes_wide_registers(const nh_stepper *s, nh_stepper_setting setting)
{
    const int stages = setting == NH_COMPILED_STAGES ? 2 * STAGES_IN_LANES : STAGES_IN_LANES;
    const bool short_loops = s->kernel.n <= NH_FEW_COORDINATES && s->kernel.s <= stages;
    if (s->kernel.sparsity)
        return s->shape.width == 8;
    return setting == NH_COMPILED_LANES || short_loops;
}

/* The options with a target, if they name none. */
static nh_native_options with_target(const nh_stepper *s, nh_stepper_setting setting, const nh_native_options *options)
{
    nh_native_options out = options ? *options : (nh_native_options){0};
    if (!out.target || !*out.target)
        out.target = nh_native_target(likes_wide_registers(s, setting));
    return out;
}

/* Of native code. Sparse systems keep the library's kernel. */
static nh_shape shape_of(const nh_stepper *s, nh_stepper_setting setting, const nh_native_options *options)
{
    if (setting != NH_COMPILED_LANES || s->kernel.sparsity)
        return s->shape;
    if (s->wishes.shape.width > 0)
        return s->wishes.shape;
    return (nh_shape){nh_native_width(options), s->choice.method->kernel == NH_KERNEL_MP ? MP_GROUPS : 1};
}

/* Stages side by side in native code. Wide registers take two blocks of four as one; of more than two, sums over all
 * stages would come in another order. With little to do for a stage there are chains of results that wait for each
 * other and hardly more, and in wide registers these take longer. */
static int block_of(const nh_stepper *s, nh_stepper_setting setting, const nh_native_options *options)
{
    const nh_kernel *k = &s->kernel;
    const int one = STAGES_IN_LANES, two = 2 * STAGES_IN_LANES, wish = s->wishes.shape.width;
    const bool little = (k->traits & NH_MASS_CONSTANT) && k->n < MANY_COORDINATES;
    const bool wide = wish > 0 ? wish == two : !little && nh_native_width(options) == two;
    if (setting != NH_COMPILED_STAGES || !s->library.stages)
        return 1;
    return wide && k->s > one && k->s <= two ? two : one;
}

/* The whole loop of steps; or, for sparse systems, the derived functions. */
static void write_source(const nh_stepper *s, nh_shape shape, int block, nh_text *out)
{
    if (s->kernel.sparsity)
        nh_source_functions(s->program, shape.width, s->kernel.call_stages ? STAGES_IN_LANES : 1, out);
    else
        nh_source_write(&s->kernel, s->choice.method->kernel, s->program, shape, block, out);
}

static nh_status find_functions(const nh_stepper *s, const char *prefix, native_function **list, nh_error *error)
{
    for (int f = 1; f < nh_program_functions(s->program); f++) {
        char name[32];
        snprintf(name, sizeof name, "%s%d", prefix, f);
        list[f] = (native_function *)nh_native_entry(s->native, name);
        if (!list[f])
            return nh_fail(error, NH_COMPILER, "compiled code lacks %s", name);
    }
    return NH_OK;
}

static nh_status use_functions(nh_stepper *s, nh_error *error)
{
    const bool stages = s->kernel.call_stages != NULL;
    nh_status status = find_functions(s, "nh_f", s->function, error);
    if (status == NH_OK && stages)
        status = find_functions(s, "nh_stage_f", s->stage_function, error);
    if (status != NH_OK)
        return status;
    s->kernel.call = call_native;
    s->kernel.call_stages = stages ? call_native_stages : NULL;
    return NH_OK;
}

static nh_status use_native(nh_stepper *s, nh_shape shape, int block, nh_error *error)
{
    if (s->kernel.sparsity)
        return use_functions(s, error);
    const size_t work = nh_source_work(&s->kernel, s->choice.method->kernel, shape, block);
    s->native_work = calloc(work * sizeof(double) + NH_LINE, 1);
    if (!s->native_work)
        return nh_fail(error, NH_MEMORY, "out of memory");
    native_advance *advance = (native_advance *)nh_native_entry(s->native, "nh_advance");
    nh_status status =
        advance ? shape_batches(s, shape, error) : nh_fail(error, NH_COMPILER, "compiled code lacks nh_advance");
    if (status == NH_OK)
        s->advance = advance;
    return status;
}

nh_status nh_stepper_compile(nh_stepper *s, nh_stepper_setting setting, bool build, const nh_native_options *options,
                             nh_error *error)
{
    nh_text source = {0};
    const nh_native_options chosen = with_target(s, setting, options);
    const int block = block_of(s, setting, &chosen);
    const nh_shape shape = shape_of(s, setting, &chosen);
    write_source(s, shape, block, &source);
    nh_status status = source.failed ? nh_fail(error, NH_MEMORY, "out of memory")
                       : build       ? nh_native_build(source.data, source.length, &chosen, &s->native, error)
                                     : nh_native_find(source.data, source.length, &chosen, &s->native, error);
    nh_text_free(&source);
    if (status == NH_OK && s->native)
        status = use_native(s, shape, block, error);
    if (status == NH_OK && s->native) {
        s->setting = setting;
    } else {
        nh_native_free(s->native);
        s->native = NULL;
    }
    return status;
}

/* The second gear, where it is small enough. */
static nh_status shift_up(nh_stepper *s, nh_error *error)
{
    nh_error reason = {0};
    if (s->choice.method->kernel == NH_KERNEL_EXTRAPOLATION) /* it has no equations that may not converge */
        return NH_OK;
    nh_status status = nh_gear_new(s->model, &s->choice, &s->kernel, s->program, s->setting == NH_IN_QUAD,
                                   s->wishes.gear, &s->gear, &reason);
    if (status == NH_OK || status == NH_LIMIT)
        return NH_OK;
    if (error)
        *error = reason;
    return status;
}

/* Matrices without entries that are zero: dense ones with marks, which few coordinates have and which are faster, or
 * sparse ones. */
static nh_status look_for_zeros(nh_stepper *s, nh_error *error)
{
    const nh_kernel_family family = s->choice.method->kernel;
    const bool forced = s->wishes.matrices == NH_MATRICES_SPARSE;
    nh_sparsity *sparsity = NULL;
    if (s->wishes.matrices == NH_MATRICES_DENSE)
        return NH_OK;
    nh_status status =
        forced ? NH_OK : nh_entries_find(s->model, family, &s->arena, &s->kernel, &s->marks_seconds, error);
    if (status == NH_OK && !s->kernel.entries)
        status = nh_sparsity_new(s->model, family, s->kernel.traits, forced, &s->arena, &sparsity, error);
    s->kernel.sparsity = sparsity;
    if (sparsity && family == NH_KERNEL_MP)
        s->kernel.traits |= NH_BY_ROWS;
    /* Velocities then are corrected, not computed at once: factors without exchange of rows may have few digits. */
    if (sparsity && sparsity->coupled)
        s->kernel.traits &= ~(NH_MOMENTUM_LINEAR | NH_SECOND_ORDER);
    return status;
}

/* The kernel of the library, and how it calls the model: at one point or at several. */
static void choose_kernel(nh_stepper *s)
{
    nh_kernel *k = &s->kernel;
    const int lanes = nh_stepper_lanes(s);
    s->library = nh_library_of(s->choice.method->kernel, k->sparsity != NULL);
    k->call = s->setting == NH_IN_QUAD ? call_quad : lanes == 8 ? call_8 : lanes == 4 ? call_4 : call_1;
    s->in_library = lanes == 8 ? s->library.eight : lanes == 4 ? s->library.four : s->library.one;
    if ((s->setting == NH_ON_TAPE || s->setting == NH_COMPILED_STAGES) && k->s > 1 && s->library.stages) {
        k->call_stages = call_4;
        s->in_library = s->library.stages;
    }
}

static nh_status set_up(nh_stepper *s, const char *method, const nh_native_options *options, nh_error *error)
{
    nh_status status = nh_method_choose(method, &s->arena, &s->choice, error);
    if (status == NH_OK)
        status = nh_classify_briefly(s->model, &s->classification, error);
    if (status == NH_OK)
        status = nh_fit_check(s->model, &s->choice, &s->classification->traits, error);
    if (status != NH_OK)
        return status;
    const bool quad = s->setting == NH_IN_QUAD;
    s->kernel = (nh_kernel){.n = s->model->n,
                            .m = s->model->m,
                            .l = s->model->holonomic,
                            .s = s->choice.stages,
                            .traits = nh_fit_traits(s->model, &s->choice, &s->classification->traits),
                            .table = quad ? (const void *)s->choice.table.in_quad : s->choice.table.in_double,
                            .user = s};
    status = look_for_zeros(s, error);
    choose_kernel(s);
    if (status == NH_OK)
        status = nh_kernel_check_size(&s->kernel, error);
    if (status == NH_OK)
        status = nh_fit_marks(s->model, &s->classification->traits, &s->arena, &s->kernel, error);
    if (status == NH_OK)
        status = derive(s, error);
    if (status != NH_OK)
        return status;
    s->kernel.constants = nh_program_constants(s->program);
    status = nh_kernel_check_size(&s->kernel, error);
    if (status == NH_OK)
        status = take_work(s, error);
    if (status == NH_OK)
        status = shift_up(s, error);
    if (status == NH_OK)
        status = shape_batches(s, s->shape, error);
    if (status == NH_OK && s->setting >= NH_COMPILED)
        status = nh_stepper_compile(s, s->setting, true, options, error);
    return status;
}

nh_status nh_stepper_new(const nh_model *m, const char *method, nh_stepper_setting setting,
                         const nh_native_options *options, nh_stepper **out, nh_error *error)
{
    return nh_stepper_new_with(m, method, setting, &(nh_stepper_wishes){0}, options, out, error);
}

nh_status nh_stepper_new_with(const nh_model *m, const char *method, nh_stepper_setting setting,
                              const nh_stepper_wishes *wishes, const nh_native_options *options, nh_stepper **out,
                              nh_error *error)
{
    const bool lanes = setting == NH_ON_TAPE_LANES || setting == NH_COMPILED_LANES;
    *out = NULL;
    nh_stepper *s = calloc(1, sizeof *s);
    if (!s)
        return nh_fail(error, NH_MEMORY, "out of memory");
    s->model = m;
    s->setting = setting;
    s->wishes = *wishes;
    s->shape = (nh_shape){!lanes ? 1 : wishes->shape.width == 4 ? 4 : nh_library_lanes(), 1};
    nh_status status = set_up(s, method, options, error);
    if (status == NH_OK)
        *out = s;
    else
        nh_stepper_free(s);
    return status;
}

void nh_stepper_free(nh_stepper *s)
{
    if (!s)
        return;
    nh_native_free(s->native);
    free(s->native_work);
    free(s->kernel_work);
    free(s->wide_work);
    free(s->single_work);
    free(s->parameters);
    free(s->member);
    nh_gear_free(s->gear);
    nh_program_free(s->program);
    nh_classification_free(s->classification);
    nh_arena_free(&s->arena);
    free(s);
}

void nh_stepper_start(nh_stepper *s, const nh_start *from, void *member)
{
    if (s->setting == NH_IN_QUAD)
        nh_start_quad(&s->kernel, s->program, from, s->parameters, member, s->single_work);
    else
        nh_start_1(&s->kernel, s->program, from, s->parameters, member, s->single_work);
}

nh_gear *nh_stepper_gear(const nh_stepper *s)
{
    return s->gear;
}

static void advance_batch(nh_stepper *s, void *batch)
{
    const nh_kernel *k = &s->kernel;
    if (s->advance)
        s->advance(k->table, batch, nh_line_in(s->native_work));
    else if (s->setting == NH_IN_QUAD)
        s->library.quad(k, batch);
    else
        s->in_library(k, batch);
}

/* The member of a lane whose first gear has failed takes one step in the second; false if that fails too. */
static bool help(nh_stepper *s, double *batch, int lane)
{
    double *x = s->member;
    nh_stepper_take(s, batch, lane, x);
    const bool good = s->gear && nh_gear_step(s->gear, x);
    x[NH_AT_STATUS] = good ? 0 : NH_STATUS_FAILED;
    nh_stepper_put(s, x, batch, lane);
    return good;
}

static bool help_quad(nh_stepper *s, nh_quad *x)
{
    const bool good = s->gear && nh_gear_step(s->gear, x);
    x[NH_AT_STATUS] = good ? 0 : NH_STATUS_FAILED;
    return good;
}

void nh_stepper_advance(nh_stepper *s, void *batch)
{
    for (bool again = true; again;) {
        again = false;
        advance_batch(s, batch);
        if (s->setting == NH_IN_QUAD) {
            if (((nh_quad *)batch)[NH_AT_STATUS] == NH_STATUS_SLOW)
                again = help_quad(s, batch);
            continue;
        }
        for (int lane = 0; lane < nh_stepper_lanes(s); lane++)
            if (((double *)batch)[nh_stepper_at(s, lane, NH_AT_STATUS)] == NH_STATUS_SLOW)
                again |= help(s, batch, lane);
    }
}
