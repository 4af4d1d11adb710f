/* SPDX-License-Identifier: MIT */
#include "ensemble/plan.h"

#include "base/random.h"
#include "base/source.h"
#include "base/status.h"
#include "ensemble/statistics.h"
#include "io/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 100000000 };

static nh_status out_of_memory(nh_error *error)
{
    return nh_fail(error, NH_MEMORY, "out of memory");
}

nh_quad nh_decimal(double x)
{
    char text[64];
    nh_double_format(text, sizeof text, x);
    return nh_quad_parse(text, NULL);
}

/* ---- Texts ---- */

/* A copy without blanks at its ends. */
static char *trimmed(nh_arena *arena, const char *text, size_t length)
{
    while (length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return nh_arena_text(arena, text, length);
}

/* The end of the part that begins at `text`: at the separator, outside of brackets. */
static const char *part_end(const char *text, char separator)
{
    int depth = 0;
    for (; *text && !(*text == separator && depth == 0); text++)
        depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
    return text;
}

/* What stands between separators. */
typedef struct parts {
    int count;
    const char **text;
    nh_quad *value;
} parts;

static nh_status split(nh_plan *p, const char *text, char separator, parts *out, nh_error *error)
{
    out->count = 1;
    for (const char *at = part_end(text, separator); *at; at = part_end(at + 1, separator))
        out->count++;
    out->text = NH_NEW(p->arena, const char *, out->count);
    out->value = NH_NEW(p->arena, nh_quad, out->count);
    for (int i = 0; !p->arena->failed && i < out->count; i++) {
        const char *end = part_end(text, separator);
        out->text[i] = trimmed(p->arena, text, (size_t)(end - text));
        text = end + 1;
    }
    return p->arena->failed ? out_of_memory(error) : NH_OK;
}

static nh_status read_values(nh_plan *p, const nh_model *m, const char *what, const char *text, char separator,
                             parts *out, nh_error *error)
{
    nh_status status = split(p, text, separator, out, error);
    for (int i = 0; status == NH_OK && i < out->count; i++)
        status = *out->text[i] ? nh_plan_value(p, m, what, out->text[i], &out->value[i], error)
                               : nh_fail(error, NH_SYNTAX, "%s: value %d of '%.200s' is empty", what, i + 1, text);
    return status;
}

/* ---- Names ---- */

static bool is_name(const nh_model *m, nh_space space, int component, const char *name, const char **best, size_t *far,
                    nh_arena *arena)
{
    nh_text text = {0};
    nh_model_component_name(m, space, component, false, &text);
    const bool same = !strcmp(nh_text_get(&text), name);
    const char *kept = same ? NULL : nh_arena_text(arena, nh_text_get(&text), text.length);
    if (kept)
        nh_nearer(name, kept, best, far);
    nh_text_free(&text);
    return same;
}

static nh_status unknown_name(const nh_model *m, const char *what, const char *name, const char *best, nh_error *error)
{
    char word[104]; /* it may come from a file of anything */
    nh_source_word(name, strlen(name), word, sizeof word);
    for (int i = 0; i < m->sizes; i++)
        if (!strcmp(m->size[i].name, name))
            return nh_fail(error, NH_NAME, "%s: '%s' is a size, which all members have in common; use --set", what,
                           word);
    if (best)
        return nh_fail(error, NH_NAME, "%s: there is no parameter, coordinate or velocity '%s'; did you mean '%s'?",
                       what, word, best);
    return nh_fail(error, NH_NAME, "%s: there is no parameter, coordinate or velocity '%s'", what, word);
}

static nh_status find_place(const nh_model *m, const char *what, const char *name, int *place, nh_error *error)
{
    static const nh_space spaces[] = {NH_PARAMETER, NH_Q, NH_V};
    const int counts[] = {m->parameters, m->n, m->n};
    const char *best = NULL;
    size_t far = 0;
    nh_arena words = {0};
    *place = 0;
    bool found = false;
    for (int k = 0; k < 3 && !found; k++)
        for (int i = 0; i < counts[k] && !found; i++) {
            found = is_name(m, spaces[k], i, name, &best, &far, &words);
            *place += !found;
        }
    const nh_status status = found ? NH_OK : unknown_name(m, what, name, best, error);
    nh_arena_free(&words);
    return status;
}

bool nh_plan_varies(const nh_plan *p, int place)
{
    bool varies = false;
    for (int i = 0; i < p->columns; i++)
        varies |= p->column[i].place == place;
    for (int i = 0; i < p->axes; i++)
        varies |= p->axis[i].place == place;
    for (int i = 0; i < p->randoms; i++)
        varies |= p->random[i].place == place;
    return varies;
}

/* What the model was loaded with would be lost in members. */
static nh_status refuse_given(const nh_model *m, const char *what, int place, nh_error *error)
{
    const char *option = place < m->parameters ? "--set" : "--initial";
    nh_text name = {0};
    nh_model_place_name(m, place, &name);
    const nh_status status = nh_fail(error, NH_USAGE, "%s and %s both give '%.100s': the value of %s would be lost",
                                     option, what, nh_text_get(&name), option);
    nh_text_free(&name);
    return status;
}

static bool is_given(const nh_model *m, int place)
{
    bool given = false;
    for (int i = 0; i < m->givens; i++)
        given |= m->given[i] == place;
    return given;
}

static nh_status take_place(nh_plan *p, const nh_model *m, const char *what, const char *name, int *place,
                            nh_error *error)
{
    nh_status status = find_place(m, what, name, place, error);
    if (status == NH_OK && nh_plan_varies(p, *place))
        return nh_fail(error, NH_USAGE, "%s: '%.100s' is given twice", what, name);
    if (status == NH_OK && is_given(m, *place))
        return refuse_given(m, what, *place, error);
    if (status == NH_OK && p->on_surface && *place >= m->parameters + m->n)
        return nh_fail(error, NH_USAGE, "%s: '%.100s' cannot be given: all velocities are drawn on an energy surface",
                       what, name);
    return status;
}

/* ---- Lists, grids, tables ---- */

static nh_status read_list(nh_plan *p, const nh_model *m, const nh_setting *s, nh_axis *out, nh_error *error)
{
    parts values;
    nh_status status = read_values(p, m, "--list", s->expression, ',', &values, error);
    out->count = values.count;
    out->value = values.value;
    return status;
}

static nh_status read_grid(nh_plan *p, const nh_model *m, const nh_setting *s, nh_axis *out, nh_error *error)
{
    parts of;
    nh_status status = read_values(p, m, "--grid", s->expression, ':', &of, error);
    if (status != NH_OK)
        return status;
    const nh_quad count = of.count == 3 ? of.value[2] : 0;
    if (count > MOST_VALUES)
        return nh_fail(error, NH_LIMIT, "--grid %.100s=%.100s has too many values: at most %d are possible", s->name,
                       s->expression, (int)MOST_VALUES);
    if (count < 2 || count != (nh_quad)(long long)count)
        return nh_fail(error, NH_USAGE,
                       "--grid needs NAME=FIRST:LAST:COUNT with a count of 2 or more, not '%.100s=%.100s'", s->name,
                       s->expression);
    out->count = (long long)count;
    nh_quad *points = NH_NEW(p->arena, nh_quad, out->count);
    if (!points)
        return out_of_memory(error);
    nh_grid_points(of.text, of.value, out->count, points);
    out->value = points;
    return NH_OK;
}

/* What is wrong with a cell, as of a number in an expression; or NULL. */
static const char *fault_of(nh_quad x)
{
    const double rounded = (double)x;
    return !isfinite(rounded) ? "not a finite number" : rounded == 0 && x != 0 ? "too small to be represented" : NULL;
}

static nh_status read_column(nh_plan *p, const nh_table *table, int column, nh_error *error)
{
    const nh_quad *from = nh_table_quads(table, column);
    nh_quad *values = NH_NEW(p->arena, nh_quad, p->rows);
    for (long long i = 0; values && i < p->rows; i++) {
        const char *fault = fault_of(from[i]);
        if (fault)
            return nh_fail(error, NH_VALUE, "--members: row %lld of '%.100s' is %s", i + 1,
                           nh_table_name(table, column), fault);
        values[i] = from[i] == 0 ? 0 : from[i]; /* -0 is 0 in expressions, too */
    }
    p->column[column].count = p->rows;
    p->column[column].value = values;
    return values ? NH_OK : out_of_memory(error);
}

/* ---- Draws ---- */

static nh_status wrong_draw(const char *text, nh_error *error)
{
    return nh_fail(error, NH_SYNTAX,
                   "--draw needs NAME=uniform(LOW,HIGH), NAME=normal(MEAN,DEVIATION) or energy(E), not '%.200s'", text);
}

/* Splits "word(arguments)"; false if it is not of this form. */
static bool split_call(nh_arena *arena, const char *text, const char **word, const char **arguments)
{
    const char *copy = trimmed(arena, text, strlen(text)), *open = copy ? strchr(copy, '(') : NULL;
    const size_t length = copy ? strlen(copy) : 0;
    if (!open || copy[length - 1] != ')')
        return false;
    *word = trimmed(arena, copy, (size_t)(open - copy));
    *arguments = trimmed(arena, open + 1, length - (size_t)(open - copy) - 2);
    return *word && *arguments;
}

/* The arguments of "energy(E)", or NULL. */
static const char *surface_of(nh_plan *p, const char *text)
{
    const char *word, *arguments;
    const bool call = !strchr(text, '=') && split_call(p->arena, text, &word, &arguments);
    return call && !strcmp(word, "energy") ? arguments : NULL;
}

static nh_status check_draw(const nh_random_axis *axis, const char *text, nh_error *error)
{
    const bool normal = axis->kind == NH_NORMAL;
    if (normal ? axis->second >= 0 : axis->first <= axis->second)
        return NH_OK;
    return nh_fail(error, NH_VALUE, "--draw: '%.200s' has %s", text,
                   normal ? "a negative deviation" : "its ends in the wrong order");
}

static nh_status read_random(nh_plan *p, const nh_model *m, const char *text, nh_random_axis *out, nh_error *error)
{
    const char *word, *arguments;
    parts of;
    if (!split_call(p->arena, strchr(text, '=') + 1, &word, &arguments))
        return wrong_draw(text, error);
    out->kind = !strcmp(word, "normal") ? NH_NORMAL : NH_UNIFORM;
    if (out->kind == NH_UNIFORM && strcmp(word, "uniform") != 0)
        return wrong_draw(text, error);
    nh_status status = read_values(p, m, "--draw", arguments, ',', &of, error);
    if (status == NH_OK && of.count != 2)
        return wrong_draw(text, error);
    if (status != NH_OK)
        return status;
    out->first = (double)of.value[0];
    out->second = (double)of.value[1];
    return check_draw(out, text, error);
}

static nh_status read_draws(nh_plan *p, const nh_model *m, const nh_ensemble_options *options, nh_error *error)
{
    nh_status status = NH_OK;
    for (int i = 0, random = 0; status == NH_OK && i < options->draws; i++) {
        const char *text = options->draw[i], *energy = surface_of(p, text);
        if (energy)
            status = nh_plan_value(p, m, "--draw", energy, &p->energy, error);
        else
            status = read_random(p, m, text, &p->random[random++], error);
    }
    return status;
}

/* ---- What members differ in ---- */

/* Energies first, so that velocities can be refused wherever they are given. */
static nh_status find_surface(nh_plan *p, const nh_model *m, const nh_ensemble_options *options, nh_error *error)
{
    for (int i = 0; i < options->draws; i++) {
        if (!surface_of(p, options->draw[i]))
            continue;
        if (p->on_surface)
            return nh_fail(error, NH_USAGE, "--draw: an energy is given twice");
        p->on_surface = true;
    }
    for (int i = 0; p->on_surface && i < m->givens; i++)
        if (m->given[i] >= m->parameters + m->n)
            return refuse_given(m, "--draw", m->given[i], error);
    return NH_OK;
}

static nh_status take_draw(nh_plan *p, const nh_model *m, const char *text, nh_error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals)
        return surface_of(p, text) ? NH_OK : wrong_draw(text, error);
    const char *name = trimmed(p->arena, text, (size_t)(equals - text));
    nh_status status =
        name ? take_place(p, m, "--draw", name, &p->random[p->randoms].place, error) : out_of_memory(error);
    p->randoms += status == NH_OK;
    return status;
}

static nh_status take_axes(nh_plan *p, const nh_model *m, const char *what, const nh_setting *list, int count,
                           nh_error *error)
{
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < count; i++) {
        status = take_place(p, m, what, list[i].name, &p->axis[p->axes].place, error);
        p->axes += status == NH_OK;
    }
    return status;
}

/* All names before any value: values must not follow what members differ in. */
static nh_status take_places(nh_plan *p, const nh_model *m, const nh_ensemble_options *o, nh_error *error)
{
    nh_status status = find_surface(p, m, o, error);
    for (int c = 0; status == NH_OK && o->table && c < nh_table_columns(o->table); c++) {
        status = take_place(p, m, "--members", nh_table_name(o->table, c), &p->column[c].place, error);
        p->columns += status == NH_OK;
    }
    if (status == NH_OK)
        status = take_axes(p, m, "--list", o->list, o->lists, error);
    if (status == NH_OK)
        status = take_axes(p, m, "--grid", o->grid, o->grids, error);
    for (int i = 0; status == NH_OK && i < o->draws; i++)
        status = take_draw(p, m, o->draw[i], error);
    return status;
}

/* ---- All of it ---- */

static nh_status count_members(nh_plan *p, nh_error *error)
{
    p->members = p->rows;
    for (int i = 0; i <= p->axes; i++) {
        const long long factor = i < p->axes ? p->axis[i].count : p->count;
        if (p->members > MOST_VALUES / factor)
            return nh_fail(error, NH_LIMIT, "there are more than %d members", (int)MOST_VALUES);
        p->members *= factor;
    }
    return NH_OK;
}

static nh_status read_all(nh_plan *p, const nh_model *m, const nh_ensemble_options *o, nh_error *error)
{
    nh_status status = NH_OK;
    for (int c = 0; status == NH_OK && c < p->columns; c++)
        status = read_column(p, o->table, c, error);
    for (int i = 0; status == NH_OK && i < o->lists; i++)
        status = read_list(p, m, &o->list[i], &p->axis[i], error);
    for (int i = 0; status == NH_OK && i < o->grids; i++)
        status = read_grid(p, m, &o->grid[i], &p->axis[o->lists + i], error);
    return status == NH_OK ? read_draws(p, m, o, error) : status;
}

nh_status nh_plan_read(nh_plan *p, const nh_model *m, const nh_ensemble_options *options, nh_arena *arena,
                       nh_error *error)
{
    *p = (nh_plan){.arena = arena, .seed = options->seed, .rows = 1, .count = options->count > 0 ? options->count : 1};
    p->column = NH_NEW(arena, nh_axis, options->table ? nh_table_columns(options->table) + 1 : 1);
    p->axis = NH_NEW(arena, nh_axis, options->lists + options->grids + 1);
    p->random = NH_NEW(arena, nh_random_axis, options->draws + 1);
    if (arena->failed)
        return out_of_memory(error);
    if (p->count > 1 && options->draws == 0)
        return nh_fail(error, NH_USAGE, "--count %lld without --draw would give the same member again", p->count);
    if (options->table)
        p->rows = (long long)nh_table_rows(options->table);
    if (p->rows == 0)
        return nh_fail(error, NH_USAGE, "--members: the table has no rows");
    nh_status status = take_places(p, m, options, error);
    if (status == NH_OK)
        status = read_all(p, m, options, error);
    return status == NH_OK ? count_members(p, error) : status;
}

int nh_plan_most(const nh_plan *p)
{
    return p->columns + p->axes + p->randoms;
}

static double draw(const nh_random_axis *axis, nh_draw_key key)
{
    return axis->kind == NH_NORMAL ? axis->first + axis->second * nh_random_normal(key)
                                   : nh_between(axis->first, axis->second, nh_random_uniform(key));
}

int nh_plan_member(const nh_plan *p, long long member, uint32_t attempt, nh_given *out)
{
    int count = 0;
    long long rest = member / p->count;
    for (int i = 0; i < p->randoms; i++) {
        const nh_draw_key key = {p->seed, (uint64_t)member, attempt, (uint32_t)i};
        out[count++] = (nh_given){p->random[i].place, nh_decimal(draw(&p->random[i], key))};
    }
    for (int i = p->axes - 1; i >= 0; i--) { /* the last one changes fastest */
        out[count++] = (nh_given){p->axis[i].place, p->axis[i].value[rest % p->axis[i].count]};
        rest /= p->axis[i].count;
    }
    for (int i = 0; i < p->columns; i++)
        out[count++] = (nh_given){p->column[i].place, p->column[i].value[rest]};
    return count;
}
