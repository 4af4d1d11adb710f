/* SPDX-License-Identifier: MIT */
/* Exported code as files. */
#define _XOPEN_SOURCE 700 /* signals */

#include "base/hold.h"
#include "base/output.h"
#include "base/status.h"

#include <nonholo/export.h>
#include <string.h>

/* All of a text beside its place. */
static nh_status begin(const char *path, const char *text, nh_output *output, nh_error *error)
{
    char reason[128];
    nh_status status = nh_output_begin(path, output, error);
    if (status != NH_OK)
        return status;
    const int code = nh_output_bytes(output->file, text, strlen(text));
    if (code == 0)
        return NH_OK;
    nh_output_abandon(output);
    return nh_fail(error, NH_FILE, "cannot write %.200s: %s", path, nh_errno_text(code, reason));
}

/* Both are complete before one takes its place. */
static nh_status write_both(const nh_export_files *files, const char *header, const char *source, nh_error *error)
{
    nh_output first, second;
    nh_status status = begin(header, files->header, &first, error);
    if (status != NH_OK)
        return status;
    status = begin(source, files->source, &second, error);
    if (status != NH_OK) {
        nh_output_abandon(&first);
        return status;
    }
    status = nh_output_commit(&first, error);
    if (status == NH_OK)
        return nh_output_commit(&second, error);
    nh_output_abandon(&second);
    return status;
}

nh_status nh_export_write(const nh_export_files *files, const char *directory, nh_error *error)
{
    nh_text header = {0}, source = {0};
    nh_hold hold;
    nh_text_add(&header, "%s/%s.h", directory, files->name);
    nh_text_add(&source, "%s/%s.c", directory, files->name);
    nh_status status = NH_MEMORY;
    if (header.failed || source.failed) {
        nh_fail(error, status, "out of memory");
    } else {
        nh_hold_begin(&hold); /* whoever is told to end meanwhile clears away before */
        status = write_both(files, nh_text_get(&header), nh_text_get(&source), error);
        nh_hold_end(&hold);
    }
    nh_text_free(&header);
    nh_text_free(&source);
    return status;
}
