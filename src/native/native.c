/* SPDX-License-Identifier: MIT */
/* Native builds: the key of a source text, its build, and what is loaded from it.
 *
 * The text reaches the compiler as a file of fixed name in a private directory. Nothing that a model contains becomes
 * part of a command or of a path; a build's name is its key, a hash of all that the code depends on. */
#define _XOPEN_SOURCE 700
#include "native/native.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/hold.h"
#include "base/status.h"
#include "base/text.h"
#include "native/cache.h"
#include "native/compiler.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#if __has_include(<nonholo/version.h>)
#include <nonholo/version.h>
#endif
#ifndef NH_VERSION_STRING
#define NH_VERSION_STRING "0"
#endif

/* By its soname, as only that is installed without the development package; the build system may give a path. */
#ifndef NH_SLEEF_LINK
#define NH_SLEEF_LINK "-l:libsleef.so.3"
#endif

struct nh_native {
    void *handle;
    nh_text record;
    double seconds;
    bool cached;
};

/* All that is known before anything is built. */
typedef struct build {
    nh_arena arena;
    nh_compiler compiler;
    nh_words flags, libraries;
    const char *target;
    double time_limit;
    char key[33];
    const char *cache; /* directory; NULL if there is none yet */
    const char *file;  /* of the build in the cache */
} build;

static const char *given(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

static const char *target_of(const nh_native_options *options)
{
    return given(options->target, nh_native_target(false));
}

/* Homes, and caches with them, are shared between machines: a level names the same instructions on all of them. */
static nh_status add_target(build *b, const nh_native_options *options, nh_error *error)
{
    b->target = target_of(options);
    if (strcmp(b->target, "generic") == 0)
        return NH_OK;
    bool good = strcmp(b->target, "native") != 0 && strlen(b->target) < 100;
    for (const char *c = b->target; good && *c; c++)
        good = isalnum((unsigned char)*c) || strchr("-+._", *c);
    if (!good)
        return nh_fail(error, NH_VALUE, "\"%.100s\" is not a named target like x86-64-v3", b->target);
    const char *flag = nh_joined(&b->arena, "-march=", b->target, "");
    if (!flag)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_words_add(&b->flags, flag);
    /* The vectoriser of gcc 12 fuses a multiplication with an alternating addition and subtraction (vfmaddsub) although
     * contraction is off. Without FMA it cannot; AVX-512 has its own, so there it must not vectorise by itself: to
     * clang, there is no AVX-512 without FMA. */
    if (strcmp(b->target, "x86-64-v4") == 0)
        nh_words_add(&b->flags, "-fno-tree-vectorize");
    else if (strncmp(b->target, "x86-64", 6) == 0)
        nh_words_add(&b->flags, "-mno-fma");
    return NH_OK;
}

static nh_status add_flags(build *b, const nh_native_options *options, nh_error *error)
{
    static const char *const fixed[] = {
        "-ffp-contract=off", /* with the next, every setting of a kernel gives the same bits */
        "-fno-math-errno",
        "-fno-semantic-interposition", /* or nothing that is exported could be inlined */
#ifdef __ELF__
        "-Wl,-Bsymbolic", /* a build calls its own functions, never those of the same name in the program */
#endif
        "-fPIC",
        "-shared",
        "-w",
    };
    nh_words_add(&b->flags, "-std=gnu11");
    nh_words_split(&b->flags, &b->arena, given(options->optimisation, "-O3"));
    for (size_t i = 0; i < b->flags.count; i++)
        if (b->flags.items[i][0] != '-')
            return nh_fail(error, NH_VALUE, "\"%.100s\" is not an optimisation flag", b->flags.items[i]);
    nh_status status = add_target(b, options, error);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        nh_words_add(&b->flags, fixed[i]);
#ifdef NH_HAVE_SLEEF
    nh_words_add(&b->libraries, NH_SLEEF_LINK);
#endif
    nh_words_add(&b->libraries, "-lm");
    if (status == NH_OK && b->flags.full)
        return nh_fail(error, NH_LIMIT, "there are too many optimisation flags");
    return status;
}

static void list_words(nh_text *text, const nh_words *words, const char *separator)
{
    for (size_t i = 0; i < words->count; i++)
        nh_text_add(text, "%s%s", i > 0 ? separator : "", words->items[i]);
}

static nh_status make_key(build *b, const char *source, size_t length, nh_error *error)
{
    nh_text all = {0};
    nh_hash_hex(source, length, b->key);
    nh_text_add(&all, "nonholo %s\n%zu %s\n%s\n", NH_VERSION_STRING, length, b->key, b->compiler.identity);
    list_words(&all, &b->flags, "\n");
    nh_text_add(&all, "\n");
    list_words(&all, &b->libraries, "\n");
    nh_hash_hex(nh_text_get(&all), all.length, b->key);
    bool failed = all.failed || b->arena.failed;
    nh_text_free(&all);
    return failed ? nh_fail(error, NH_MEMORY, "out of memory") : NH_OK;
}

static nh_status prepare(build *b, const char *source, size_t length, const nh_native_options *options, nh_error *error)
{
    b->time_limit = options->time_limit > 0 ? options->time_limit : 60;
    nh_status status = nh_compiler_find(options->compiler, &b->arena, &b->compiler, error);
    if (status == NH_OK)
        status = add_flags(b, options, error);
    if (status == NH_OK)
        status = make_key(b, source, length, error);
    return status;
}

/* Paths and versions come from outside; in a record they stay on one line. */
static void write_record(nh_native *native, const build *b)
{
    nh_text *record = &native->record;
    const char *compiled_by = nh_native_symbol(native, "nh_compiled_by");
    nh_text_add(record, "%s (", compiled_by ? compiled_by : "unknown compiler");
    list_words(record, &b->compiler.command, " ");
    nh_text_add(record, "), %s, ", b->target);
    list_words(record, &b->flags, " ");
    nh_text_add(record, " ");
    list_words(record, &b->libraries, " ");
    nh_text_add(record, ", %s, key %s", native->cached ? "cached" : "built", b->key);
    for (size_t i = 0; i < record->length; i++)
        if (iscntrl((unsigned char)record->data[i]))
            record->data[i] = '?';
}

/* Loads a shared object and checks that it is the one that was asked for. All its symbols are bound now: a missing
 * one is an error here, not the end of the program later. */
static nh_status load(const build *b, const char *path, nh_native **out, nh_error *error)
{
    nh_native *native = calloc(1, sizeof *native);
    if (!native)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_status status = NH_OK;
    native->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *key = native->handle ? dlsym(native->handle, "nh_key") : NULL;
    if (!native->handle)
        status = nh_fail(error, NH_FILE, "cannot load the native build: %.350s", given(dlerror(), "no reason given"));
    else if (!key || strcmp(key, b->key) != 0)
        status = nh_fail(error, NH_FILE, "the native build %.200s does not hold its key", path);
    if (status != NH_OK) {
        nh_native_free(native);
        return status;
    }
    *out = native;
    return NH_OK;
}

/* A build from the cache; one that is not whole, or not what its name says, is deleted. */
static void load_cached(const build *b, nh_native **out)
{
    if (access(b->file, F_OK) != 0)
        return;
    if (nh_cache_intact(b->file))
        load(b, b->file, out, NULL);
    if (!*out) {
        nh_cache_remove(b->file);
        return;
    }
    (*out)->cached = true;
    nh_cache_touch(b->file);
}

/* The tail that lets a build tell what it is, and by which compiler it was made, without running that again. */
static bool write_source(const char *path, const build *b, const char *source, size_t length)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    bool good = fwrite(source, 1, length, file) == length;
    good = good && fprintf(file, "\nconst char nh_key[] = \"%s\";\n", b->key) > 0;
    good = good && fputs("#if defined __clang__\n"
                         "const char nh_compiled_by[] = \"clang \" __clang_version__;\n"
                         "#elif defined __GNUC__\n"
                         "const char nh_compiled_by[] = \"gcc \" __VERSION__;\n"
                         "#endif\n",
                         file) >= 0;
    return fclose(file) == 0 && good;
}

static nh_status cannot_write(const build *b, nh_error *error)
{
    char text[128];
    return nh_fail(error, NH_FILE, "cannot write to the cache directory %.200s: %s; set XDG_CACHE_HOME to another",
                   b->cache, nh_errno_text(errno, text));
}

static nh_status compile(build *b, const char *scratch, const char *output, const char *source, size_t length,
                         nh_error *error)
{
    const char *input = nh_joined(&b->arena, scratch, "/model.c", "");
    nh_words arguments = b->flags;
    nh_words_add(&arguments, "-o");
    nh_words_add(&arguments, output);
    nh_words_add(&arguments, input);
    for (size_t i = 0; i < b->libraries.count; i++)
        nh_words_add(&arguments, b->libraries.items[i]);
    if (b->arena.failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (arguments.full)
        return nh_fail(error, NH_LIMIT, "there are too many optimisation flags");
    if (!write_source(input, b, source, length))
        return cannot_write(b, error);
    nh_status status = nh_compiler_run(&b->compiler, &arguments, scratch, b->time_limit, error);
    if (status == NH_OK && !nh_cache_seal(output))
        status = nh_fail(error, NH_COMPILER, "the C compiler %.200s left no output; set NONHOLO_CC to another",
                         b->compiler.path);
    return status;
}

/* Builds in a private directory; only what is whole, and loads, gets its name in the cache. It is loaded before that:
 * once it has a name, another process that had found a damaged file there may still delete it. */
static nh_status make_in(build *b, const char *scratch, const char *source, size_t length, bool keep, nh_native **out,
                         nh_error *error)
{
    const char *output = nh_joined(&b->arena, scratch, "/model.so", "");
    nh_status status = compile(b, scratch, output, source, length, error);
    if (status == NH_OK)
        status = load(b, output, out, error);
    if (status == NH_OK && keep && rename(output, b->file) != 0) {
        status = cannot_write(b, error);
        nh_native_free(*out);
        *out = NULL;
    }
    if (status == NH_OK && keep)
        nh_cache_trim(b->cache, b->file);
    return status;
}

/* Whoever is told to end clears away before. */
static nh_status make(build *b, const char *source, size_t length, bool keep, nh_native **out, nh_error *error)
{
    const char *scratch = NULL;
    nh_hold hold;
    nh_hold_begin(&hold);
    nh_status status = nh_cache_scratch(b->cache, &b->arena, &scratch, error);
    if (status == NH_OK) {
        status = make_in(b, scratch, source, length, keep, out, error);
        nh_cache_remove(scratch);
    }
    nh_hold_end(&hold);
    return status;
}

static nh_status obtain(build *b, const char *source, size_t length, const nh_native_options *options, bool may_build,
                        nh_native **out, nh_error *error)
{
    nh_status status = prepare(b, source, length, options, error);
    if (status == NH_OK)
        status = nh_cache_open(options->cache, may_build, &b->arena, &b->cache, error);
    if (status != NH_OK || !b->cache)
        return status;
    b->file = nh_joined(&b->arena, b->cache, "/", nh_joined(&b->arena, b->key, ".so", ""));
    if (b->arena.failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (!options->no_cache)
        load_cached(b, out);
    if (!*out && may_build)
        status = make(b, source, length, !options->no_cache, out, error);
    return status;
}

static nh_status run(const char *source, size_t length, const nh_native_options *options, bool may_build,
                     nh_native **out, nh_error *error)
{
    if (!out)
        return nh_fail(error, NH_USAGE, "a native build needs a place for its result");
    *out = NULL;
    if (!source)
        return nh_fail(error, NH_USAGE, "a native build needs a source text");
    const nh_native_options defaults = {0};
    double begin = nh_clock();
    build b = {0};
    nh_status status = obtain(&b, source, length, options ? options : &defaults, may_build, out, error);
    if (*out) {
        write_record(*out, &b);
        (*out)->seconds = nh_clock() - begin;
        if ((*out)->record.failed) {
            nh_native_free(*out);
            *out = NULL;
            status = nh_fail(error, NH_MEMORY, "out of memory");
        }
    }
    nh_arena_free(&b.arena);
    return status;
}

nh_status nh_native_build(const char *source, size_t length, const nh_native_options *options, nh_native **out,
                          nh_error *error)
{
    return run(source, length, options, true, out, error);
}

nh_status nh_native_find(const char *source, size_t length, const nh_native_options *options, nh_native **out,
                         nh_error *error)
{
    return run(source, length, options, false, out, error);
}

void nh_native_free(nh_native *native)
{
    if (!native)
        return;
    if (native->handle)
        dlclose(native->handle);
    nh_text_free(&native->record);
    free(native);
}

const void *nh_native_symbol(const nh_native *native, const char *name)
{
    return dlsym(native->handle, name);
}

/* C has no cast from an object pointer to a function pointer; POSIX promises that their bytes are the same. */
nh_native_function nh_native_entry(const nh_native *native, const char *name)
{
    void *symbol = dlsym(native->handle, name);
    nh_native_function function;
    _Static_assert(sizeof function == sizeof symbol, "dlsym gives function pointers");
    memcpy(&function, &symbol, sizeof function);
    return function;
}

const char *nh_native_record(const nh_native *native)
{
    return nh_text_get(&native->record);
}

bool nh_native_was_cached(const nh_native *native)
{
    return native->cached;
}

double nh_native_seconds(const nh_native *native)
{
    return native->seconds;
}

int nh_native_width(const nh_native_options *options)
{
    const char *target = target_of(options ? options : &(nh_native_options){0});
    return strcmp(target, "x86-64-v4") == 0 ? 8 : strcmp(target, "x86-64-v3") == 0 ? 4 : 2;
}

#ifdef __x86_64__
/* The levels of the x86-64 psABI. The compiler's function also asks whether the system saves wide registers; cpuid
 * tells the rest, which it does not know by name in older versions. */
const char *nh_native_target(bool wide)
{
    /* sse3, ssse3, cmpxchg16b, sse4.1, sse4.2, popcnt; lahf */
    const unsigned v2 = 1U << 0 | 1U << 9 | 1U << 13 | 1U << 19 | 1U << 20 | 1U << 23, v2_more = 1U << 0;
    /* movbe, f16c; lzcnt */
    const unsigned v3 = 1U << 22 | 1U << 29, v3_more = 1U << 5;
    unsigned a = 0, b = 0, c = 0, d = 0, more = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & v2) != v2)
        return "x86-64";
    if (!__get_cpuid(0x80000001U, &a, &b, &more, &d) || (more & v2_more) != v2_more)
        return "x86-64";
    if ((c & v3) != v3 || (more & v3_more) != v3_more || !__builtin_cpu_supports("avx") ||
        !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2"))
        return "x86-64-v2";
    if (!wide || !__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return "x86-64-v3";
    return "x86-64-v4";
}
#else
const char *nh_native_target(bool wide)
{
    (void)wide;
#ifdef __aarch64__
    return "armv8-a";
#else
    return "generic";
#endif
}
#endif
