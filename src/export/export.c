/* SPDX-License-Identifier: MIT */
#include "export/export.h"

#include "base/resource.h"
#include "base/status.h"
#include "kernel/extrapolation_table.h"
#include "kernel/functions.h"
#include "kernel/traits.h"
#include "method/source.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

nh_export_options nh_export_options_default(void)
{
    return (nh_export_options){.sim = nh_sim_options_default()};
}

void nh_export_free(nh_export_files *files)
{
    if (!files)
        return;
    free(files->name);
    free(files->header);
    free(files->source);
    *files = (nh_export_files){0};
}

/* ---- Names ---- */

static bool is_keyword(const char *name)
{
    static const char *const words[] = {"auto",    "break",    "case",     "char",   "const",    "continue", "default",
                                        "do",      "double",   "else",     "enum",   "extern",   "float",    "for",
                                        "goto",    "if",       "inline",   "int",    "long",     "register", "return",
                                        "short",   "restrict", "signed",   "sizeof", "static",   "struct",   "switch",
                                        "typedef", "union",    "unsigned", "void",   "volatile", "while"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(name, words[i]))
            return true;
    return false;
}

static bool is_identifier(const char *name)
{
    enum { LONGEST = 60 };
    bool good = *name && !isdigit((unsigned char)*name) && strlen(name) <= LONGEST && !is_keyword(name);
    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || *c == '_');
    return good;
}

/* The file's name without folder and ending, with _ for what an identifier cannot have. */
static const char *name_of_file(const nh_model *model, nh_arena *arena)
{
    const char *slash = strrchr(model->file, '/'), *base = slash ? slash + 1 : model->file;
    const char *dot = strrchr(base, '.');
    char *name = nh_arena_text(arena, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
    for (char *c = name; c && *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    return name;
}

/* ---- The source ---- */

static const nh_function_name functions[NH_F_COUNT] = {
    [0] = {"nh_model_constants", "What depends on parameters only."},
    [NH_F_MOMENTUM] = {"nh_model_momentum", "L_v(t,q,v)"},
    [NH_F_FORCE] = {"nh_model_force", "L_q + f"},
    [NH_F_REACTION] = {"nh_model_reaction", "K^T lambda, and what else constraints do."},
    [NH_F_CONSTRAINT] = {"nh_model_constraint", "k(t,q,v)"},
    [NH_F_MASS] = {"nh_model_mass", "L_vv; L_vv dv where it is constant and diagonal."},
    [NH_F_ROWS] = {"nh_model_rows", "K = k_v"},
    [NH_F_ENERGY] = {"nh_model_energy", "v L_v - L"},
    [NH_F_HOLONOMIC] = {"nh_model_holonomic", "g(t,q)"},
    [NH_F_NORMALS] = {"nh_model_normals", "g_q"},
    [NH_F_HIDDEN] = {"nh_model_hidden", "g_q v + g_t"},
    [NH_F_COLUMNS] = {"nh_model_columns", "The derivative of the reaction by lambda."},
    [NH_F_TANGENT] = {"nh_model_tangent", "The change of k with q and v."},
    [NH_F_SLOPES] = {"nh_model_slopes", "k_q"},
};

/* Names of the setting and of compilers, and what stands for them in C99; in float also elementary functions. */
#define IN_FLOAT(name)                                                                                                 \
    {                                                                                                                  \
#name, #name "f"                                                                                               \
    }
static const nh_replacement replacements[] = {
    {"NH_INLINE", "static inline"},
    {"NH_CIRCULAR", "static inline"},
    {"NH_ALWAYS_INLINE", "static inline"},
    {"NH_CONTEXT", ""},
    {"NH_PASS", ""},
    {"NH_AFRESH", ""},
    {"NH_EACH", "for"},
    {"NH_EACH_OF_MASS", "for"},
    {"__builtin_inf", "NH_INFINITY"},
    {NULL, NULL},
};
static const nh_replacement double_replacements[] = {
    {"__builtin_fabs", "fabs"},
    {"__builtin_sqrt", "sqrt"},
    {NULL, NULL},
};
static const nh_replacement float_replacements[] = {
    {"__builtin_fabs", "fabsf"},
    {"__builtin_sqrt", "sqrtf"},
    {"double", "float"},
    IN_FLOAT(exp),
    IN_FLOAT(log),
    {"nh_sin", "sinf"},
    {"nh_cos", "cosf"},
    IN_FLOAT(tan),
    IN_FLOAT(asin),
    IN_FLOAT(acos),
    IN_FLOAT(atan),
    IN_FLOAT(sinh),
    IN_FLOAT(cosh),
    IN_FLOAT(tanh),
    IN_FLOAT(atan2),
    IN_FLOAT(pow),
    {NULL, NULL},
};

static nh_trim *new_trim(const nh_exporter *e)
{
    const nh_trim_setting setting = {.replace = {replacements, e->in_float ? float_replacements : double_replacements},
                                     .call = "nh_model_",
                                     .nothing = "NH_IN_MEMORY",
                                     .pure = "nh_set",
                                     .prefix = e->name,
                                     .sizes = "NH_SIZES",
                                     .in_float = e->in_float};
    return nh_trim_new(&setting);
}

/* Marks that are all alike are a fact; NULL: all are set. */
static void know_marks(const nh_exporter *e, const char *macro, const bool *marks, int count)
{
    int set = 0;
    for (int i = 0; i < count; i++)
        set += !marks || marks[i];
    if (set == 0 || set == count)
        nh_trim_know(e->trim, macro, set > 0);
}

/* Marks of coordinates and of entries, kernel/traits.h. */
static void add_marks(const nh_exporter *e, nh_text *out)
{
#define NH_ENTRY(at)       (e->kernel->entries[at])
#define KNOW(matrix, size) know_marks(e, #matrix, e->kernel->entries ? &matrix(0, 0) : NULL, size)
    const int n = e->kernel->n, m = e->kernel->m, l = e->kernel->l;
    nh_source_marks(e->kernel, out);
    nh_trim_know(e->trim, "NH_ENTRIES_MARKED", e->kernel->entries != NULL);
    know_marks(e, "NH_TOUCHED", e->kernel->touched, n);
    know_marks(e, "NH_WATCHED", e->kernel->watched, n);
    KNOW(NH_IN_MASS, n * n);
    KNOW(NH_IN_INVERSE, n * n);
    KNOW(NH_IN_ROWS, (m + l) * n);
    KNOW(NH_IN_COLUMNS, (m + l) * n);
    KNOW(NH_IN_LIFT, (m + l) * n);
    KNOW(NH_IN_GRAM, (m + l) * (m + l));
    if (!e->kernel->entries)
        nh_trim_know(e->trim, "NH_IN_LOWER", 1);
#undef KNOW
#undef NH_ENTRY
}

/* What is known of model and method: to the texts as macros, to the conditions in them as facts. */
static void add_facts(const nh_exporter *e, nh_text *sizes)
{
    const nh_kernel *k = e->kernel;
    nh_trim_know(e->trim, "NH_LANES", 1);
    nh_trim_know(e->trim, "NH_BLOCK", 1);
    nh_trim_know(e->trim, "NH_FLOAT", e->in_float);
    nh_trim_know(e->trim, "NH_IS_SPARK", e->choice->method->kernel == NH_KERNEL_SPARK);
    nh_trim_know(e->trim, "NH_PARAMETERS", e->model->parameters);
    nh_trim_know(e->trim, "NH_CONSTANTS", k->constants);
    nh_trim_know(e->trim, "NH_CONSTRAINTS", k->m + k->l);
    nh_trim_know_size(e->trim, "n", k->n);
    nh_trim_know_size(e->trim, "m", k->m);
    nh_trim_know_size(e->trim, "l", k->l);
    nh_trim_know_size(e->trim, "s", k->s);
    nh_trim_know_size(e->trim, "ml", k->m + k->l);
    nh_trim_know_size(e->trim, "constants", k->constants);
    nh_text_add(sizes,
                "/* n coordinates, m velocity constraints, l holonomic ones, s stages. */\n\n"
                "#define NH_SIZES enum { n = %d, m = %d, l = %d, s = %d, constants = %d }\n"
                "#define NH_TRAITS %uu\n",
                k->n, k->m, k->l, k->s, k->constants, k->traits);
    add_marks(e, sizes);
    nh_source_order(e->kernel, sizes);
    nh_trim_know(e->trim, "NH_BOUND", k->bound);
    nh_trim_know(e->trim, "NH_FEW", k->n <= NH_FEW_COORDINATES);
}

/* A text of the kernels; its heading where it speaks of other settings. */
typedef struct kernel_text {
    const char *name, *heading;
} kernel_text;

static void add_kernel(const nh_exporter *e, const kernel_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        nh_trim_add(e->trim, nh_resource_text(texts[i].name), texts[i].heading);
}

static const char *table_heading(const char *text)
{
    return strstr(text, "_table.h") ? "Places in the table of coefficients." : NULL;
}

/* The texts of the kernel in their order; `sizes` and `model` outlive the trim. */
static void add_texts(const nh_exporter *e, nh_text *sizes, nh_text *model)
{
    static const kernel_text first[] = {
        {"space.h", "Inputs of the model's functions: a table of pointers."},
        {"traits.h", "What is known of the system and of the method, as bits."},
        {"member.h",
         "Places in the memory of a state. n, m, l, s are the numbers of coordinates, of velocity constraints, "
         "of\n * holonomic constraints, of stages; ml = m + l."},
        {"real.h", "Numbers; a mask is 0 or 1."},
        {"export.h", NULL},
        {"dense.h", "Small dense linear algebra. Matrices are flat and row-major."}};
    static const kernel_text angle = {"angle.h", "Sine and cosine by + - * alone: the same bits on every machine."};
    static const kernel_text second[] = {
        {"point.h", "The system at one point (t,q,v), a stage or the end of a step."},
        {"saddle.h", NULL},
        {"correction.h", NULL},
        {"landing.h", NULL},
        {"stage.h",
         "Stages of a Runge-Kutta method. Sums over stages have one order: to every target stage its own sum, "
         "sources in\n * turn; and for sums over all stages four partial sums."}};
    add_facts(e, sizes);
    nh_trim_add(e->trim, nh_text_get(sizes), NULL);
    add_kernel(e, first, sizeof first / sizeof *first);
    add_kernel(e, &angle, e->in_float ? 0 : 1);
    nh_text_add(model, "/* The model's functions: constants c, inputs x, results y. */\n");
    nh_program_emit_portable(nh_stepper_program(e->sim->stepper), functions, model);
    nh_trim_add(e->trim, nh_text_get(model), NULL);
    add_kernel(e, second, sizeof second / sizeof *second);
    const char *const *texts = nh_source_texts(e->choice->method->kernel);
    for (int i = 0; texts[i]; i++)
        add_kernel(e, &(kernel_text){texts[i], table_heading(texts[i])}, 1);
    add_kernel(e, &(kernel_text){"export_entry.h", NULL}, 1);
    nh_trim_mark(e->trim);
}

static bool write_files(const nh_exporter *e, nh_text *header, nh_text *source)
{
    nh_export_header(e, header);
    nh_export_title(e, ".c", source);
    nh_text_add(source,
                " *\n * The header tells how it is used and compiled.\n */\n"
                "#include \"%s.h\"\n\n#include <math.h>\n\n"
                "#if defined __clang__ || !defined __GNUC__ /* gcc does not know it, and needs -ffp-contract=off */\n"
                "#pragma STDC FP_CONTRACT OFF\n#endif\n",
                e->name);
    nh_export_data(e, source);
    const bool good = nh_trim_write(e->trim, source);
    nh_export_self_test(e, source);
    return good && !source->failed && !header->failed;
}

static nh_status write_export(nh_exporter *e, nh_export_files *out, nh_error *error)
{
    nh_text sizes = {0}, model = {0}, header = {0}, source = {0}, name = {0};
    e->trim = new_trim(e);
    bool good = e->trim != NULL;
    if (good) {
        add_texts(e, &sizes, &model);
        good = write_files(e, &header, &source) && !sizes.failed && !model.failed;
        out->memory = nh_export_memory(e);
        out->stack = nh_trim_frame(e->trim);
    }
    nh_text_add(&name, "%s", e->name);
    out->steps = e->steps;
    for (int i = 0; i < 2 * e->model->n + 2; i++)
        out->tolerance = fmax(out->tolerance, e->allowed[i]);
    out->header = header.data;
    out->source = source.data;
    out->name = name.data;
    nh_trim_free(e->trim);
    nh_text_free(&sizes);
    nh_text_free(&model);
    return good && !name.failed ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
}

/* ---- All of it ---- */

enum { FLOAT_SEQUENCES = 8 };

/* What a method needs more digits for than a float has. */
static nh_status check_float(const nh_choice *choice, nh_error *error)
{
    const int s = choice->stages;
    if (choice->method->kernel != NH_KERNEL_EXTRAPOLATION)
        return NH_OK;
    if (s > FLOAT_SEQUENCES)
        return nh_fail(error, NH_USAGE,
                       "the weights of %d sequences are so large that they leave no digits of a float; take %d at most",
                       s, FLOAT_SEQUENCES);
    const double demand = choice->table.in_double[NH_EXTRAPOLATION_AT_VECTOR(s, NH_EXTRAPOLATION_DEMAND)];
    if (demand * FLT_EPSILON > 1)
        return nh_fail(error, NH_USAGE, "a float has no digits for tol = %.2g; take %.1g at least", 1 / demand, 2e-7);
    return NH_OK;
}

static nh_status set_up(nh_exporter *e, const nh_export_options *options, nh_arena *arena, nh_error *error)
{
    nh_sim_options sim = options->sim;
    sim.backend = NH_BACKEND_TAPE;
    sim.precision = NH_PRECISION_DOUBLE;
    sim.audit = 0;
    e->options = sim;
    e->name = options->name ? options->name : name_of_file(e->model, arena);
    if (!e->name)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (!is_identifier(e->name))
        return nh_fail(error, NH_NAME, "'%.60s' is no name that C code can have; give another with --name", e->name);
    e->in_float = options->number == NH_EXPORT_FLOAT;
    e->number = e->in_float ? "float" : "double";
    nh_status status = nh_sim_new(e->model, &sim, &e->sim, error);
    if (status != NH_OK)
        return status;
    e->kernel = nh_stepper_kernel(e->sim->stepper);
    e->choice = nh_stepper_choice(e->sim->stepper);
    e->exact = nh_program_is_exact(nh_stepper_program(e->sim->stepper));
    if (e->choice->method->traits & NH_STABILISED)
        return nh_fail(error, NH_USAGE, "%s makes its steps in the second gear, which is not exported; use lobatto-ab",
                       e->choice->method->name);
    status = e->in_float ? check_float(e->choice, error) : NH_OK;
    if (status != NH_OK)
        return status;
    if (e->kernel->sparsity)
        return nh_fail(error, NH_LIMIT,
                       "a system of %d coordinates with sparse matrices is not exported; --set a smaller size",
                       e->model->n);
    return NH_OK;
}

nh_status nh_export(const nh_model *model, const nh_export_options *options, nh_export_files *out, nh_error *error)
{
    const nh_export_options usual = nh_export_options_default();
    nh_exporter e = {.model = model};
    nh_arena arena = {0};
    *out = (nh_export_files){0};
    nh_status status = set_up(&e, options ? options : &usual, &arena, error);
    if (status == NH_OK)
        status = nh_export_expect(&e, &arena, error);
    if (status == NH_OK)
        status = write_export(&e, out, error);
    if (status != NH_OK)
        nh_export_free(out);
    nh_sim_free(e.sim);
    nh_arena_free(&arena);
    return status;
}
