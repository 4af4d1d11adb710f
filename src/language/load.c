/* SPDX-License-Identifier: MIT */
/* A model by its name: a file, or one of the catalogue. */
#include "base/file.h"
#include "base/resource.h"
#include "base/status.h"
#include "base/text.h"

#include <errno.h>
#include <nonholo/model.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static nh_status file_error(const char *name, const char *what, nh_error *error)
{
    nh_fail(error, NH_FILE, "%s", what);
    if (error)
        snprintf(error->file, sizeof error->file, "%s", name);
    return NH_FILE;
}

static nh_status read_file(const char *name, nh_text *text, nh_error *error)
{
    enum { MOST = 1 << 26 };
    char reason[128];
    const int code = nh_file_read(name, MOST, text);
    return code == 0        ? NH_OK
           : code == ENOMEM ? nh_fail(error, NH_MEMORY, "out of memory while reading %s", name)
                            : file_error(name, nh_errno_text(code, reason), error);
}

static const nh_resource *find_in_catalogue(const char *name)
{
    int count;
    const nh_resource *row = nh_resource_models(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(row[i].name, name))
            return &row[i];
    return NULL;
}

/* Neither a file nor a model of the catalogue. */
static nh_status fail_unknown_model(const char *name, nh_error *error)
{
    int count;
    const nh_resource *row = nh_resource_models(&count);
    const char *best = NULL;
    size_t distance = 0;
    for (int i = 0; i < count; i++)
        if (!best || distance > 1)
            nh_nearer(name, row[i].name, &best, &distance);
    if (best)
        return nh_fail(error, NH_FILE, "there is no file and no model '%.200s'; did you mean '%s'?", name, best);
    return nh_fail(error, NH_FILE, "there is no file and no model '%.200s' in the catalogue", name);
}

nh_status nh_model_load(const char *name, const nh_model_options *options, nh_model **out, nh_error *error)
{
    *out = NULL;
    if (!name || !*name)
        return nh_fail(error, NH_USAGE, "the name of a model is missing");
    const nh_resource *resource = find_in_catalogue(name);
    if (resource)
        return nh_model_parse(resource->text, strlen(resource->text), name, options, out, error);
    nh_text text = {0};
    nh_status status = read_file(name, &text, error);
    bool path = strchr(name, '/') != NULL || strchr(name, '.') != NULL;
    if (status == NH_OK)
        status = nh_model_parse(nh_text_get(&text), text.length, name, options, out, error);
    else if (status == NH_FILE && !path)
        status = fail_unknown_model(name, error);
    nh_text_free(&text);
    return status;
}
