/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* stat, readlink, open */

#include "files.h"

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- What a path leads to ---- */

/* A file that exists, or the directory where it would be made and its name there. */
typedef struct place {
    struct stat status;
    char path[PATH_MAX];
    const char *name; /* "": the file exists */
} place;

/* The path becomes that of the target of a link, which need not exist. */
static bool follow(char path[PATH_MAX])
{
    char target[PATH_MAX], whole[2 * PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    const char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
    const int before = slash ? (int)(slash + 1 - path) : 0;
    if (snprintf(whole, sizeof whole, "%.*s%s", before, path, target) >= PATH_MAX)
        return false;
    memcpy(path, whole, strlen(whole) + 1);
    return true;
}

/* False: there is no such directory, so that nothing can be there. */
static bool find(const char *path, place *out)
{
    enum { LINKS = 40 };
    char directory[PATH_MAX];
    out->name = "";
    if (strlen(path) >= sizeof out->path)
        return false;
    memcpy(out->path, path, strlen(path) + 1);
    for (int i = 0; i < LINKS; i++) {
        if (stat(out->path, &out->status) == 0)
            return true;
        if (!follow(out->path))
            break;
    }
    const char *slash = strrchr(out->path, '/');
    out->name = slash ? slash + 1 : out->path;
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash + 1 - out->path) : 1, slash ? out->path : ".");
    return stat(directory, &out->status) == 0;
}

bool tool_same_file(const char *a, const char *b)
{
    place x = {0}, y = {0};
    if (!strcmp(a, b))
        return true;
    return find(a, &x) && find(b, &y) && x.status.st_dev == y.status.st_dev && x.status.st_ino == y.status.st_ino &&
           !strcmp(x.name, y.name);
}

/* ---- Those of the options ---- */

enum { FILES = 8 };

typedef struct named {
    const char *what, *path; /* path NULL: not given */
    bool written;
} named;

/* A model of the catalogue is no file, whatever there is of its name. */
static const char *model_file(const tool_arguments *a)
{
    const char *model = a->operands > 0 ? a->operand[0] : "-";
    return !strcmp(model, "-") || nh_catalogue_text(model) ? NULL : model;
}

/* What stands between the quotes of spark(file="..."), in `room`. */
static const char *triple_file(const tool_arguments *a, char room[PATH_MAX])
{
    const char *begin = a->method ? strchr(a->method, '"') : NULL, *end = begin ? strchr(begin + 1, '"') : NULL;
    if (!end || end - begin > PATH_MAX)
        return NULL;
    snprintf(room, PATH_MAX, "%.*s", (int)(end - begin - 1), begin + 1);
    return room;
}

/* To go on in the same checkpoint is what --checkpoint X --resume X means. */
static bool may_be_one(const named *x, const named *y, const tool_arguments *a)
{
    return (!x->written && !y->written) || (x->path == a->resume && y->path == a->checkpoint);
}

static bool files_differ(const tool_arguments *a)
{
    char triple[PATH_MAX];
    const named file[FILES] = {{"MODEL", model_file(a), false},
                               {"--method", triple_file(a, triple), false},
                               {"--members", a->members, false},
                               {"--resume", a->resume, false},
                               {"--output", tool_streams(a) ? NULL : a->output, true},
                               {"--motions", a->motions, true},
                               {"--plot", a->plot, true},
                               {"--checkpoint", a->checkpoint, true}};
    for (int i = 0; i < FILES; i++)
        for (int j = 0; j < i; j++)
            if (file[i].path && file[j].path && !may_be_one(&file[j], &file[i], a) &&
                tool_same_file(file[j].path, file[i].path)) {
                tool_complain("%s %s and %s %s are one file: one would write over the other", file[j].what,
                              file[j].path, file[i].what, file[i].path);
                return false;
            }
    return true;
}

bool tool_files_fit(const tool_arguments *a, const char *file)
{
    if (!files_differ(a))
        return false;
    if (a->checkpoint_every >= 0 && !a->checkpoint)
        tool_complain("--checkpoint-every needs --checkpoint FILE");
    else if ((a->checkpoint || a->resume) && file && !tool_ends_in(file, ".csv"))
        tool_complain("--checkpoint and --resume go with a .csv file, which can be continued; %s cannot", file);
    else
        return true;
    return false;
}

/* ---- Those that are written later ---- */

/* Makes a file beside the place, as the library will, and takes it away: directories, disks and names have many ways to
 * refuse one. Returns an errno. */
static int try_beside(const char *path)
{
    char trial[PATH_MAX];
    if (snprintf(trial, sizeof trial, "%s.%ld-0.tmp", path, (long)getpid()) >= PATH_MAX)
        return ENAMETOOLONG;
    const int file = open(trial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return errno == EEXIST ? 0 : errno;
    close(file);
    unlink(trial);
    return 0;
}

static bool has_place(const char *path)
{
    struct stat status;
    const bool taken = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    const int code = taken ? 0 : try_beside(path);
    if (taken)
        tool_complain("cannot write %s: it is there, and is not a regular file", path);
    else if (code != 0)
        tool_complain("cannot write %s: %s", path, strerror(code));
    return !taken && code == 0;
}

bool tool_files_have_places(const tool_arguments *a)
{
    return (!a->plot || has_place(a->plot)) && (!a->checkpoint || has_place(a->checkpoint));
}
