/* SPDX-License-Identifier: MIT */
#include "method/option.h"

#include <math.h>
#include <nonholo/text.h>
#include <stdio.h>
#include <string.h>

/* A list for messages: "a, b, c", cut to what fits. */
enum { LIST = 240 };

static void append(char list[LIST], const char *word)
{
    size_t used = strlen(list);
    snprintf(list + used, LIST - used, "%s%s", used ? ", " : "", word);
}

static nh_status unknown_key(const nh_spec *spec, const nh_spec_item *item, const nh_option *options, int count,
                             nh_error *error)
{
    char list[LIST] = "";
    const char *best = NULL;
    size_t distance = 0;
    for (int i = 0; i < count; i++) {
        append(list, options[i].name);
        if (!best || distance > 1)
            nh_nearer(item->key, options[i].name, &best, &distance);
    }
    if (count == 0)
        return nh_spec_fail(spec, item->column, error, NH_NAME, "'%.60s' has no options", spec->name);
    return nh_spec_fail(spec, item->column, error, NH_NAME, "'%.60s' has no option '%.60s'; %s%s%s", spec->name,
                        item->key, best ? "did you mean '" : "it has ", best ? best : list, best ? "'?" : "");
}

static nh_status check_range(const nh_spec *spec, const nh_spec_item *item, const nh_option *option, nh_error *error)
{
    if (item->number >= option->least && item->number <= option->most)
        return NH_OK;
    if (isinf(option->most))
        return nh_spec_fail(spec, item->value_column, error, NH_VALUE, "'%s' is at least %.12g, not %.60s",
                            option->name, option->least, item->text);
    if (isinf(option->least))
        return nh_spec_fail(spec, item->value_column, error, NH_VALUE, "'%s' is at most %.12g, not %.60s", option->name,
                            option->most, item->text);
    return nh_spec_fail(spec, item->value_column, error, NH_VALUE, "'%s' is between %.12g and %.12g, not %.60s",
                        option->name, option->least, option->most, item->text);
}

static nh_status read_number(const nh_spec *spec, const nh_spec_item *item, const nh_option *option,
                             nh_option_value *value, nh_error *error)
{
    bool integer = option->type == NH_OPTION_INTEGER;
    if (!item->is_number)
        return nh_spec_fail(spec, item->value_column, error, NH_VALUE, "'%s' is %s, not '%.60s'; write %s",
                            option->name, integer ? "a whole number" : "a number", item->text,
                            integer ? "it like 3" : "2, -0.5, 1.5e-3 or a fraction like 1/3");
    nh_status status = check_range(spec, item, option, error);
    if (status != NH_OK)
        return status;
    if (integer && !item->is_integer)
        return nh_spec_fail(spec, item->value_column, error, NH_VALUE, "'%s' is a whole number, not %.60s",
                            option->name, item->text);
    value->number = item->number;
    value->integer = integer ? (long)item->number : 0;
    return NH_OK;
}

static nh_status read_word(const nh_spec *spec, const nh_spec_item *item, const nh_option *option,
                           nh_option_value *value, nh_error *error)
{
    char list[LIST] = "";
    for (int i = 0; i < option->words_count; i++) {
        append(list, option->words[i]);
        value->word = i;
        if (!strcmp(option->words[i], item->text))
            return NH_OK;
    }
    const char *best = nh_nearest(item->text, option->words, option->words_count);
    return nh_spec_fail(spec, item->value_column, error, NH_NAME, "'%s' cannot be '%.60s'; %s%s%s", option->name,
                        item->text, best ? "did you mean '" : "it is one of: ", best ? best : list, best ? "'?" : "");
}

static nh_status read_item(const nh_spec *spec, const nh_spec_item *item, const nh_option *options, int count,
                           nh_option_value *values, nh_error *error)
{
    int i = 0;
    while (i < count && strcmp(options[i].name, item->key) != 0)
        i++;
    if (i == count)
        return unknown_key(spec, item, options, count, error);
    nh_option_value *value = &values[i];
    if (value->given)
        return nh_spec_fail(spec, item->column, error, NH_NAME, "'%s' is given twice", item->key);
    value->given = true;
    value->text = item->text;
    switch (options[i].type) {
    case NH_OPTION_INTEGER:
    case NH_OPTION_REAL:
        return read_number(spec, item, &options[i], value, error);
    case NH_OPTION_WORD:
        return read_word(spec, item, &options[i], value, error);
    case NH_OPTION_TEXT:
        break;
    }
    return NH_OK;
}

static nh_option_value default_of(const nh_option *option)
{
    if (isnan(option->initial) || option->type == NH_OPTION_TEXT)
        return (nh_option_value){0};
    if (option->type == NH_OPTION_WORD)
        return (nh_option_value){.word = (int)option->initial};
    return (nh_option_value){.number = (nh_quad)option->initial,
                             .integer = option->type == NH_OPTION_INTEGER ? (long)option->initial : 0};
}

nh_status nh_spec_read(const nh_spec *spec, const nh_option *options, int count, nh_option_value *values,
                       nh_error *error)
{
    for (int i = 0; i < count; i++)
        values[i] = default_of(&options[i]);
    for (int i = 0; i < spec->items; i++) {
        nh_status status =
            spec->item[i].method ? NH_OK : read_item(spec, &spec->item[i], options, count, values, error);
        if (status != NH_OK)
            return status;
    }
    for (int i = 0; i < count; i++)
        if (!values[i].given && isnan(options[i].initial))
            return nh_spec_fail(spec, spec->column, error, NH_VALUE, "'%.60s' needs the option '%s': %s", spec->name,
                                options[i].name, options[i].about);
    return NH_OK;
}

nh_status nh_spec_methods(const nh_spec *spec, int count, const nh_spec **methods, nh_error *error)
{
    int found = 0;
    for (int i = 0; i < spec->items; i++) {
        const nh_spec *method = spec->item[i].method;
        if (method && found == count)
            return nh_spec_fail(spec, method->column, error, NH_VALUE,
                                count ? "'%.60s' takes no further method"
                                      : "'%.60s' takes no method; an option is written name=value",
                                spec->name);
        if (method)
            methods[found++] = method;
    }
    if (found == count)
        return NH_OK;
    return nh_spec_fail(spec, spec->column, error, NH_VALUE, "'%.60s' needs %s in its brackets", spec->name,
                        found ? "one more method" : "a method");
}
