/* SPDX-License-Identifier: MIT */
/* Registers of processors: what a target has is used, and what it has not is not; another processor gives the same
 * bits. */
#include "test.h"

#include "base/text.h"
#include "motion.h"

#include <stdlib.h>

static bool run_command(const char *command)
{
    return system(command) == 0;
}

static bool has(const char *program)
{
    char command[200];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return run_command(command);
}

/* ---- Registers ---- */

/* The code of a target is made, but not run; whether its instructions name such registers. */
static void check_registers(const nh_model *m, const char *compiler, const char *target, int width, const char *used,
                            const char *not_used)
{
    static const char cache[] = "./lanes-cache";
    const nh_native_options native = {.compiler = compiler, .cache = cache, .target = target};
    char command[400];
    motion o;
    CHECK_EQ_INT(nh_native_width(&native), width);
    if (!CHECK_EQ_INT(motion_open(&o, m, "gauss(s=2)", NH_COMPILED_LANES, &native, NULL), NH_OK))
        return;
    CHECK_EQ_INT(o.lanes, width);
    motion_close(&o);
    snprintf(command, sizeof command,
             "objdump -d %s/*.so >lanes.s && grep -q '%%%s' lanes.s && ! grep -qE '%%(%s)' lanes.s", cache, used,
             not_used);
    if (!CHECK(run_command(command)))
        printf("    %s, %s: not in %s alone\n", compiler, target, used);
    snprintf(command, sizeof command, "rm -rf %s lanes.s", cache);
    CHECK(run_command(command));
}

TEST(registers_are_those_of_the_target)
{
    nh_model *m = NULL;
    if (strncmp(nh_native_target(false), "x86-64", 6) != 0 || !has("objdump")) {
        printf("    skipped: this is not x86-64, or there is no objdump\n");
        return;
    }
    if (CHECK_EQ_INT(nh_model_load("particle", NULL, &m, NULL), NH_OK))
        for (int i = 0; i < 2; i++) {
            const char *compiler = i ? "clang" : "gcc";
            if (!has(compiler)) {
                printf("    skipped: there is no %s\n", compiler);
                continue;
            }
            check_registers(m, compiler, "x86-64-v2", 2, "xmm", "ymm|zmm");
            check_registers(m, compiler, "x86-64-v3", 4, "ymm", "zmm");
            check_registers(m, compiler, "x86-64-v4", 8, "zmm", "none");
        }
    nh_model_free(m);
}

TEST(targets_that_are_not_known_have_two)
{
    CHECK_EQ_INT(nh_native_width(&(nh_native_options){.target = "generic"}), 2);
    CHECK_EQ_INT(nh_native_width(&(nh_native_options){.target = "armv8-a"}), 2);
    CHECK_EQ_INT(nh_native_width(&(nh_native_options){.target = "x86-64"}), 2);
    CHECK_EQ_INT(nh_native_width(NULL), nh_native_width(&(nh_native_options){.target = nh_native_target(false)}));
}

/* ---- Another processor ---- */

/* Reads the table of the method and a batch, advances it, writes it. */
static const char driver[] =
    "#include <stdio.h>\n"
    "void nh_advance(const double *table, double *batch, double *work);\n"
    "static double table[TABLE], batch[BATCH];\n"
    "int main(void)\n"
    "{\n"
    "    if (fread(table, sizeof table, 1, stdin) + fread(batch, sizeof batch, 1, stdin) != 2)\n"
    "        return 1;\n"
    "    nh_advance(table, batch, 0);\n"
    "    return fwrite(batch, sizeof batch, 1, stdout) != 1;\n"
    "}\n";

static bool write_file(const char *path, const void *first, size_t first_bytes, const void *second, size_t second_bytes)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(first, 1, first_bytes, file) == first_bytes;
    good = good && fwrite(second, 1, second_bytes, file) == second_bytes;
    return file && fclose(file) == 0 && good;
}

/* The integrator for that processor in lanes-arm, its input in lanes.in. */
static bool build_for_arm(const motion *o, nh_shape shape)
{
    static const double nothing = 0;
    const nh_kernel *k = nh_stepper_kernel(o->stepper);
    const nh_kernel_family family = nh_stepper_choice(o->stepper)->method->kernel;
    const int numbers = nh_stepper_choice(o->stepper)->table.size;
    const int table = numbers ? numbers * shape.width : 1, batch = o->size * o->lanes;
    char command[400];
    nh_text source = {0};
    nh_source_write(k, family, nh_stepper_program(o->stepper), shape, 1, &source);
    bool good = CHECK(!source.failed) && CHECK_EQ_INT(nh_source_work(k, family, shape, 1), 0);
    good = good && write_file("lanes-arm.c", driver, strlen(driver), source.data, source.length);
    good = good && write_file("lanes.in", numbers ? k->table : &nothing, (size_t)table * sizeof(double), o->batch,
                              (size_t)batch * sizeof(double));
    nh_text_free(&source);
    snprintf(
        command, sizeof command,
        "aarch64-linux-gnu-gcc -std=gnu11 -O3 -march=armv8-a -ffp-contract=off -fno-math-errno -w -static -DTABLE=%d "
        "-DBATCH=%d lanes-arm.c -o lanes-arm",
        table, batch);
    return CHECK(good) && CHECK(run_command(command));
}

static bool same_as_file(const char *path, const void *data, size_t bytes)
{
    char *read = malloc(bytes);
    FILE *file = fopen(path, "rb");
    const bool same = read && file && fread(read, 1, bytes, file) == bytes && memcmp(read, data, bytes) == 0;
    if (file)
        fclose(file);
    free(read);
    return same;
}

/* The same batch here, in lanes of the same shape, and there. */
static void compare_with_arm(const char *model, const char *method, nh_shape shape)
{
    nh_model *m = NULL;
    origin *from = NULL;
    motion o;
    if (!CHECK_EQ_INT(nh_model_load(model, NULL, &m, NULL), NH_OK))
        return;
    from = origin_of(m);
    if (from && CHECK_EQ_INT(motion_open_with(&o, m, method, NH_COMPILED_LANES, &(nh_stepper_wishes){.shape = shape},
                                              NULL, NULL),
                             NH_OK)) {
        for (int lane = 0; lane < o.lanes; lane++) {
            nh_start start = from->start;
            start.h /= 1 + lane;
            motion_start(&o, lane, &start);
            motion_aim(&o, lane, 50 - 11 * lane);
        }
        if (build_for_arm(&o, shape) && CHECK(motion_advance(&o)) &&
            CHECK(run_command("qemu-aarch64 ./lanes-arm <lanes.in >lanes.out")) &&
            !CHECK(same_as_file("lanes.out", o.batch, (size_t)(o.size * o.lanes) * sizeof(double))))
            printf("    %s, %s: other bits on aarch64\n", model, method);
        motion_close(&o);
    }
    CHECK(run_command("rm -f lanes-arm lanes-arm.c lanes.in lanes.out"));
    free(from);
    nh_model_free(m);
}

TEST(another_processor_has_the_same_bits)
{
    if (!has("aarch64-linux-gnu-gcc") || !has("qemu-aarch64") ||
        !run_command("echo '#include <stdio.h>' | aarch64-linux-gnu-gcc -E - >/dev/null 2>&1")) {
        printf("    skipped: there is no aarch64-linux-gnu-gcc with a C library, or no qemu-aarch64\n");
        return;
    }
    compare_with_arm("mp-particles", "mp", (nh_shape){2, 2});
    compare_with_arm("particle", "mp", (nh_shape){2, 1});
    compare_with_arm("particle", "gauss(s=3)", (nh_shape){2, 1});
    compare_with_arm("mp-particles", "gauss(s=3)", (nh_shape){2, 1});
}

TEST_MAIN(RUN(registers_are_those_of_the_target), RUN(targets_that_are_not_known_have_two),
          RUN(another_processor_has_the_same_bits))
