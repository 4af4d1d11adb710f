/* SPDX-License-Identifier: MIT */
/* The directory of native builds; see cache.h for the rules. */
#define _XOPEN_SOURCE 700
#include "native/cache.h"

#include "base/hash.h"
#include "base/status.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SCRATCH_PREFIX "tmp-"
#define SEAL_PREFIX    "\nnonholo-seal "
enum {
    SEAL_LENGTH = sizeof SEAL_PREFIX - 1 + 16,
    STALE_SECONDS = 24 * 60 * 60,
    OTHERS_WRITE = S_IWGRP | S_IWOTH,
};

char *nh_joined(nh_arena *arena, const char *a, const char *b, const char *c)
{
    size_t room = a && b && c ? strlen(a) + strlen(b) + strlen(c) + 1 : 0;
    char *text = room ? nh_arena_alloc(arena, room) : NULL;
    if (text)
        snprintf(text, room, "%s%s%s", a, b, c);
    return text;
}

/* Relative values are invalid by the XDG specification, and would make the cache depend on the working directory. */
static const char *default_path(nh_arena *arena)
{
    const char *base = getenv("XDG_CACHE_HOME"), *rest = "/nonholo";
    if (!base || base[0] != '/') {
        base = getenv("HOME");
        rest = "/.cache/nonholo";
    }
    if (!base || base[0] != '/')
        return NULL;
    return nh_joined(arena, base, rest, "");
}

/* Makes a directory and those above it; returns an errno. Failures above are not judged: some file systems refuse
 * with odd codes what is already there. */
static int make_directories(const char *path, nh_arena *arena)
{
    char *part = nh_arena_text(arena, path, strlen(path));
    if (!part)
        return ENOMEM;
    for (char *c = part + 1; *part && *c; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        (void)mkdir(part, S_IRWXU);
        *c = '/';
    }
    return mkdir(part, S_IRWXU) == 0 || errno == EEXIST ? 0 : errno;
}

static nh_status check_owner(const char *path, nh_error *error)
{
    struct stat info;
    char text[128];
    if (stat(path, &info) != 0)
        return nh_fail(error, NH_FILE, "cannot read the cache directory %.200s: %s", path, nh_errno_text(errno, text));
    if (!S_ISDIR(info.st_mode))
        return nh_fail(error, NH_FILE, "the cache %.200s is not a directory: remove it or choose another", path);
    if (info.st_uid != geteuid())
        return nh_fail(error, NH_FILE, "the cache directory %.200s belongs to another user: choose another", path);
    if (info.st_mode & OTHERS_WRITE)
        return nh_fail(error, NH_FILE, "others can write to the cache directory %.200s: chmod go-w it", path);
    return NH_OK;
}

nh_status nh_cache_open(const char *path, bool make, nh_arena *arena, const char **out, nh_error *error)
{
    *out = NULL;
    char text[128];
    if (!path || !*path)
        path = default_path(arena);
    if (arena->failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (!path)
        return nh_fail(error, NH_FILE, "no place for a cache of builds: set XDG_CACHE_HOME or HOME");
    char *real = realpath(path, NULL);
    if (!real && errno == ENOENT && !make)
        return NH_OK;
    int code = real ? 0 : make ? make_directories(path, arena) : errno;
    if (!real && code == 0)
        real = realpath(path, NULL);
    if (!real)
        return nh_fail(error, NH_FILE, "cannot use the cache directory %.200s: %s; set XDG_CACHE_HOME to another", path,
                       nh_errno_text(code ? code : errno, text));
    *out = nh_arena_text(arena, real, strlen(real));
    free(real);
    return *out ? check_owner(*out, error) : nh_fail(error, NH_MEMORY, "out of memory");
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info, (void)type, (void)place;
    (void)remove(path);
    return 0;
}

void nh_cache_remove(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Processes that were killed could not clear away; a day is far above any time limit of a live one. */
static void sweep(const char *cache)
{
    DIR *directory = opendir(cache);
    if (!directory)
        return;
    time_t now = time(NULL);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        struct stat info;
        if (strncmp(entry->d_name, SCRATCH_PREFIX, sizeof SCRATCH_PREFIX - 1) != 0 ||
            fstatat(dirfd(directory), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            info.st_mtime > now - STALE_SECONDS)
            continue;
        nh_text path = {0};
        nh_text_add(&path, "%s/%s", cache, entry->d_name);
        if (!path.failed)
            nh_cache_remove(nh_text_get(&path));
        nh_text_free(&path);
    }
    closedir(directory);
}

nh_status nh_cache_scratch(const char *cache, nh_arena *arena, const char **out, nh_error *error)
{
    char *path = nh_joined(arena, cache, "/", SCRATCH_PREFIX "XXXXXX");
    if (!path)
        return nh_fail(error, NH_MEMORY, "out of memory");
    sweep(cache);
    char text[128];
    if (!mkdtemp(path))
        return nh_fail(error, NH_FILE, "cannot write to the cache directory %.200s: %s; set XDG_CACHE_HOME to another",
                       cache, nh_errno_text(errno, text));
    *out = path;
    return NH_OK;
}

/* The whole of an open file; NULL if it cannot be had. The caller frees. */
static char *read_all(int file, size_t size)
{
    char *bytes = malloc(size + 1);
    size_t done = 0;
    while (bytes && done < size) {
        ssize_t count = read(file, bytes + done, size - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            free(bytes);
            return NULL;
        }
        done += (size_t)count;
    }
    return bytes;
}

static void seal_of(const char *bytes, size_t size, char seal[SEAL_LENGTH + 1])
{
    snprintf(seal, SEAL_LENGTH + 1, SEAL_PREFIX "%016" PRIx64, nh_hash64(bytes, size, 0));
}

/* Linkers obey the umask, which may let others write. */
bool nh_cache_seal(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    struct stat info;
    if (file < 0)
        return false;
    bool good = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && fchmod(file, S_IRUSR | S_IWUSR) == 0;
    char *bytes = good ? read_all(file, (size_t)info.st_size) : NULL;
    if (bytes) {
        char seal[SEAL_LENGTH + 1];
        seal_of(bytes, (size_t)info.st_size, seal);
        good = write(file, seal, SEAL_LENGTH) == SEAL_LENGTH;
    }
    good = good && bytes;
    free(bytes);
    return close(file) == 0 && good;
}

bool nh_cache_intact(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat info;
    if (file < 0)
        return false;
    bool good = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
                !(info.st_mode & OTHERS_WRITE) && info.st_size > SEAL_LENGTH;
    char *bytes = good ? read_all(file, (size_t)info.st_size) : NULL;
    if (bytes) {
        size_t size = (size_t)info.st_size - SEAL_LENGTH;
        char seal[SEAL_LENGTH + 1];
        seal_of(bytes, size, seal);
        good = memcmp(bytes + size, seal, SEAL_LENGTH) == 0;
    }
    good = good && bytes;
    free(bytes);
    close(file);
    return good;
}

/* ---- The size of the cache ---- */

typedef struct stored {
    char name[sizeof "0123456789abcdef0123456789abcdef.so"];
    struct timespec used;
    long long size;
} stored;

typedef struct inventory {
    stored *items;
    size_t count, room;
    long long size;
} inventory;

static void add_stored(inventory *all, const char *name, const struct stat *info)
{
    if (all->count == all->room) {
        const size_t room = 2 * all->room + 64;
        stored *items = realloc(all->items, room * sizeof *items);
        if (!items)
            return; /* what is not listed is not removed */
        all->items = items;
        all->room = room;
    }
    stored *item = &all->items[all->count++];
    snprintf(item->name, sizeof item->name, "%s", name);
    item->used = info->st_mtim;
    item->size = (long long)info->st_size;
    all->size += item->size;
}

static void take_stock(DIR *directory, inventory *all)
{
    for (const struct dirent *entry; (entry = readdir(directory));) {
        struct stat info;
        const size_t length = strlen(entry->d_name);
        if (length == sizeof((stored *)0)->name - 1 && strcmp(entry->d_name + length - 3, ".so") == 0 &&
            fstatat(dirfd(directory), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode))
            add_stored(all, entry->d_name, &info);
    }
}

static int by_age(const void *a, const void *b)
{
    const struct timespec x = ((const stored *)a)->used, y = ((const stored *)b)->used;
    if (x.tv_sec != y.tv_sec)
        return x.tv_sec < y.tv_sec ? -1 : 1;
    return x.tv_nsec < y.tv_nsec ? -1 : x.tv_nsec > y.tv_nsec;
}

/* A build that is loaded stays in memory after its file is gone. */
void nh_cache_trim(const char *cache, const char *kept)
{
    DIR *directory = opendir(cache);
    if (!directory)
        return;
    const char *slash = strrchr(kept, '/'), *name = slash ? slash + 1 : kept;
    inventory all = {0};
    take_stock(directory, &all);
    if (all.size > NH_CACHE_BYTES)
        qsort(all.items, all.count, sizeof *all.items, by_age);
    for (size_t i = 0; i < all.count && all.size > NH_CACHE_BYTES; i++)
        if (strcmp(all.items[i].name, name) != 0 && unlinkat(dirfd(directory), all.items[i].name, 0) == 0)
            all.size -= all.items[i].size;
    free(all.items);
    closedir(directory);
}

void nh_cache_touch(const char *path)
{
    (void)utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}
