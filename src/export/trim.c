/* SPDX-License-Identifier: MIT */
#include "export/trim_parts.h"

#include <stdlib.h>
#include <string.h>

nh_trim *nh_trim_new(const nh_trim_setting *setting)
{
    nh_trim *trim = calloc(1, sizeof *trim);
    if (trim)
        trim->setting = *setting;
    return trim;
}

void nh_trim_free(nh_trim *trim)
{
    if (!trim)
        return;
    nh_ctokens_free(&trim->tokens);
    nh_facts_free(&trim->facts);
    nh_facts_free(&trim->sizes);
    nh_facts_free(&trim->aliases);
    free(trim->items);
    free(trim);
}

void nh_trim_know(nh_trim *trim, const char *name, long value)
{
    nh_facts_add(&trim->facts, name, (int)strlen(name), value);
}

void nh_trim_know_size(nh_trim *trim, const char *name, long value)
{
    nh_facts_add(&trim->sizes, name, (int)strlen(name), value);
}

void nh_trim_add(nh_trim *trim, const char *text, const char *heading)
{
    const int tokens = trim->tokens.count, items = trim->count;
    nh_ctokens_read(&trim->tokens, text);
    trim->failed |= trim->tokens.failed;
    if (trim->failed)
        return;
    nh_trim_preprocess(trim, tokens);
    nh_trim_replace(trim, tokens);
    nh_trim_split(trim, heading, tokens);
    for (int i = items; i < trim->count && !trim->failed; i++)
        nh_trim_fold(trim, &trim->items[i]);
    trim->failed |= trim->facts.failed || trim->sizes.failed || trim->aliases.failed || trim->tokens.failed;
}

bool nh_trim_write(const nh_trim *trim, nh_text *out)
{
    for (int i = 0; i < trim->count; i++) {
        const nh_trim_item *it = &trim->items[i];
        if (!it->needed)
            continue;
        if (it->kind == NH_TRIM_HEADING)
            nh_text_add(out, "\n");
        nh_ctokens_write(&trim->tokens, it->from, it->to, out);
        if (it->kind == NH_TRIM_HEADING)
            nh_text_add(out, "\n\n");
    }
    return !trim->failed && !out->failed;
}
