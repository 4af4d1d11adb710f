/* SPDX-License-Identifier: MIT */
#include "method/source.h"

#include "base/resource.h"
#include "expr/function.h"
#include "kernel/traits.h"
#include "method/library.h"

static void add_text(const char *name, nh_text *out)
{
    nh_text_add(out, "%s", nh_resource_text(name));
}

/* Elementary functions and those of the model get names for stages, beside those of stage_names.h; or lose them. */
static void rename_all(const nh_program *program, bool there, nh_text *out)
{
    const char *line = there ? "#define nh_%s nh_stage_%s\n" : "#undef nh_%s\n";
    add_text(there ? "stage_names.h" : "stage_names_end.h", out);
    for (nh_function f = 0; f < NH_FUNCTIONS; f++)
        nh_text_add(out, line, nh_function_get(f)->name, nh_function_get(f)->name);
    for (int f = 0; f < nh_program_functions(program); f++)
        nh_text_add(out, there ? "#define nh_f%d nh_stage_f%d\n" : "#undef nh_f%d\n", f, f);
}

/* What depends on the number type. */
static void write_types(const nh_program *program, int lanes, bool first, nh_text *out)
{
    nh_text_add(out, "#undef NH_LANES\n#define NH_LANES %d\n", lanes);
    add_text("real.h", out);
    if (first)
        add_text("native.h", out);
    add_text("dense.h", out);
    nh_program_emit_inline(program, lanes, out);
    add_text("point.h", out);
    add_text("saddle.h", out);
    add_text("correction.h", out);
    add_text("landing.h", out);
}

static void write_marks(const char *name, const bool *marks, int count, nh_text *out)
{
    nh_text_add(out, "static const char nh_%s[] = {", name);
    for (int i = 0; i < count; i++)
        nh_text_add(out, "%s%d", i ? ", " : "", marks[i]);
    nh_text_add(out, "};\n");
}

void nh_source_marks(const nh_kernel *kernel, nh_text *out)
{
    const int n = kernel->n, m = kernel->m, l = kernel->l;
    write_marks("touched", kernel->touched, n, out);
    write_marks("watched", kernel->watched, n, out);
    nh_text_add(out, "#define NH_ENTRIES_MARKED %d\n", kernel->entries != NULL);
    if (kernel->entries)
        write_marks("entries", kernel->entries, NH_ENTRIES, out);
}

/* The table is longer than the order by a tile, less one: compilers that do not see where tiles end would complain. */
void nh_source_order(const nh_kernel *kernel, nh_text *out)
{
    enum { TILE_MOST = 8 };
    nh_text_add(out, "#define NH_FEW %d\n", kernel->n <= NH_FEW_COORDINATES);
    nh_text_add(out, "#define NH_BOUND %d\nstatic const int nh_order[] = {", kernel->bound);
    for (int k = 0; k < kernel->n + TILE_MOST - 1; k++)
        nh_text_add(out, "%s%d", k ? ", " : "", k < kernel->n ? kernel->order[k] : 0);
    nh_text_add(out, "};\n");
}

/* What fits into a few caches is local, and may live in registers: the stack of a thread is not for more. Stages in
 * several blocks never do: GCC would carry parts of them in registers, and copy the rest about. */
enum { LOCAL_MOST = 1 << 16 };

size_t nh_source_work(const nh_kernel *kernel, nh_kernel_family family, nh_shape shape, int block)
{
    const nh_library library = nh_library_of(family, false);
    const size_t lanes = (size_t)shape.width * (size_t)shape.groups;
    const size_t numbers = block > 1 ? library.stages_work(kernel) * (size_t)(block / 4) : library.work(kernel) * lanes;
    const bool several_blocks = family == NH_KERNEL_SPARK && block > 1 && kernel->s > block;
    return numbers > LOCAL_MOST || several_blocks ? numbers : 0;
}

/* A step of (7.3), or of a sequence, takes hardly longer than its numbers take to go through memory once: those that
 * are written one by one and read as a vector take three times that. GCC sees only that there are fewer instructions.
 */
static void forbid_vectors(const nh_kernel *kernel, nh_kernel_family family, int lanes, nh_text *out)
{
    if (family != NH_KERNEL_SPARK && (lanes > 1 || kernel->n <= NH_FEW_COORDINATES))
        nh_text_add(out, "#pragma GCC optimize(\"no-tree-vectorize\")\n");
}

/* What fills or copies short arrays takes less time than the instructions that processors have for it take to start. */
static void forbid_patterns(const nh_kernel *kernel, nh_kernel_family family, nh_text *out)
{
    enum { SHORT = 512 };
    if (family == NH_KERNEL_MP && kernel->n > NH_FEW_COORDINATES && kernel->n <= SHORT)
        nh_text_add(out, "#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n");
}

/* An iteration of SPARK with stages in lanes is one chain of results that wait for each other, beside products that
 * need not: GCC finds their places only if it may move instructions before it has given out registers, and not too far.
 */
static void order_instructions(nh_kernel_family family, int block, nh_text *out)
{
    if (family == NH_KERNEL_SPARK && block > 1)
        nh_text_add(out, "#pragma GCC optimize(\"schedule-insns\", \"sched-pressure\")\n");
}

const char *const *nh_source_texts(nh_kernel_family family)
{
    static const char *const spark[] = {"spark_table.h",    "spark_frame.h",  "spark_gamma.h", "spark_positions.h",
                                        "spark_progress.h", "spark_settle.h", "spark.h",       NULL};
    static const char *const mp[] = {"mp.h", NULL};
    static const char *const extrapolation[] = {"extrapolation_table.h", "extrapolation_frame.h",
                                                "extrapolation_sequences.h", "extrapolation.h", NULL};
    static const char *const *const texts[] = {
        [NH_KERNEL_SPARK] = spark, [NH_KERNEL_MP] = mp, [NH_KERNEL_EXTRAPOLATION] = extrapolation};
    return texts[family];
}

void nh_source_write(const nh_kernel *kernel, nh_kernel_family family, const nh_program *program, nh_shape shape,
                     int block, nh_text *out)
{
    static const char *const heads[] = {"space.h", "functions.h", "traits.h", "member.h"};
    forbid_vectors(kernel, family, shape.width, out);
    forbid_patterns(kernel, family, out);
    order_instructions(family, block, out);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        add_text(heads[i], out);
    nh_text_add(out, "enum { n = %d, m = %d, l = %d, s = %d, constants = %d };\n", kernel->n, kernel->m, kernel->l,
                kernel->s, kernel->constants);
    nh_text_add(out, "#define NH_TRAITS %uu\n#define NH_BLOCK %d\n#define NH_GROUPS %d\n", kernel->traits, block,
                shape.groups);
    nh_source_marks(kernel, out);
    nh_source_order(kernel, out);
    nh_text_add(out, "#define NH_WORK_SPACE %d\n", nh_source_work(kernel, family, shape, block) > 0);
    write_types(program, shape.width, true, out);
    if (block > 1) {
        rename_all(program, true, out);
        write_types(program, block, false, out);
        rename_all(program, false, out);
        nh_text_add(out, "#undef NH_LANES\n#define NH_LANES 1\n");
    }
    add_text("stage.h", out);
    const char *const *texts = nh_source_texts(family);
    for (int i = 0; texts[i]; i++)
        add_text(texts[i], out);
    add_text("advance.h", out);
}

void nh_source_functions(const nh_program *program, int lanes, int block, nh_text *out)
{
    nh_program_emit(program, lanes, out);
    if (block == 1)
        return;
    rename_all(program, true, out);
    nh_text_add(out, "#undef NH_LANES\n");
    nh_program_emit(program, block, out);
    rename_all(program, false, out);
}
