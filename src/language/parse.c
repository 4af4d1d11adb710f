/* SPDX-License-Identifier: MIT */
/* The table of statements, the order in which they are read, and the small steps that all of them use. */
#include "language/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Messages ---- */

bool nh_parse_fail(nh_parser *p, uint32_t token, nh_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    nh_error_set_list(p->error, status, format, arguments);
    va_end(arguments);
    p->status = status;
    if (!p->error)
        return false;
    const nh_token *t = &p->tokens.token[token];
    if (token)
        nh_source_place(&p->tokens.source[t->source], t->offset, t->line, t->column, p->error);
    else
        snprintf(p->error->file, sizeof p->error->file, "%s", p->model->file);
    return false;
}

bool nh_parse_memory(nh_parser *p)
{
    p->status = nh_fail(p->error, NH_MEMORY, "out of memory while reading %s", p->model->file);
    return false;
}

static bool ends_operand(int kind)
{
    return kind == NH_T_NAME || kind == NH_T_NUMBER || kind == ')' || kind == ']' || kind == '\'';
}

bool nh_parse_unexpected(nh_parser *p, const char *expected)
{
    const nh_token *t = &p->tokens.token[p->at];
    char quote[NH_QUOTE];
    nh_token_quote(&p->tokens, p->at, quote);
    if (t->kind == NH_T_END)
        return nh_parse_fail(p, p->at, NH_SYNTAX, "expected %s, but the %s ends here", expected,
                             p->statement ? "statement" : "text");
    const char *hint = "";
    if (t->kind == NH_T_NAME && t->first && nh_statement_find(nh_token_text(&p->tokens, p->at), t->length))
        hint = "; a statement begins in the first column";
    else if ((t->kind == NH_T_NAME || t->kind == NH_T_NUMBER || t->kind == '(') && ends_operand(t[-1].kind) &&
             p->at - 1 != p->keyword)
        hint = "; a product is written with *";
    else if (t->kind == '\'')
        hint = "; ' makes the velocity of a coordinate";
    return nh_parse_fail(p, p->at, NH_SYNTAX, "expected %s, found '%s'%s", expected, quote, hint);
}

bool nh_parse_spend(nh_parser *p, uint64_t work)
{
    p->work += work;
    if (p->work + p->copied <= NH_MOST_WORK)
        return true;
    return nh_parse_fail(p, p->at, NH_LIMIT,
                         "the model is too large: its sums, lists and lets take too many steps to write out");
}

bool nh_parse_graph(nh_parser *p, uint32_t token)
{
    nh_error reason;
    if (nh_graph_size(p->graph) > NH_MOST_NODES)
        return nh_parse_fail(p, token, NH_LIMIT, "the model is too large: more than %d different subexpressions",
                             NH_MOST_NODES);
    if (nh_graph_status(p->graph, &reason) == NH_OK)
        return true;
    return nh_parse_fail(p, token, reason.status, "%s", reason.message);
}

const char *nh_sort_text(const nh_parser *p, nh_sort sort)
{
    static const char *const vector[] = {"a coordinate", "a state", "a variable"};
    switch (sort) {
    case NH_S_FUNCTION:
        return "a function";
    case NH_S_SIZE:
        return "a size";
    case NH_S_PARAMETER:
        return "a parameter";
    case NH_S_COORDINATE:
        return vector[p->model->kind];
    case NH_S_ALGEBRAIC:
        return "an algebraic variable";
    case NH_S_LET:
        return "a let";
    case NH_S_OUTPUT:
        return "an observable or invariant";
    default:
        return "a reserved word";
    }
}

/* ---- Small steps ---- */

bool nh_parse_accept(nh_parser *p, int kind)
{
    bool found = nh_kind_at(p, p->at) == kind;
    p->at += found;
    return found;
}

bool nh_parse_expect(nh_parser *p, int kind, const char *expected)
{
    return nh_parse_accept(p, kind) || nh_parse_unexpected(p, expected);
}

bool nh_parse_label(nh_parser *p, const char **name)
{
    const nh_token *t = &p->tokens.token[p->at];
    if (t->kind != NH_T_NAME)
        return nh_parse_unexpected(p, "a name");
    *name = nh_arena_text(&p->model->arena, nh_token_text(&p->tokens, p->at), t->length);
    p->at++;
    return *name || nh_parse_memory(p);
}

bool nh_parse_new_name(nh_parser *p, const char **name)
{
    uint32_t token = p->at;
    if (!nh_parse_label(p, name))
        return false;
    const nh_symbol *symbol = nh_scope_find(&p->scope, *name, strlen(*name));
    if (!symbol)
        return true;
    char quote[NH_QUOTE];
    nh_token_quote(&p->tokens, token, quote);
    if (!symbol->token)
        return nh_parse_fail(p, token, NH_NAME, "'%s' is %s; choose another name", quote,
                             nh_sort_text(p, symbol->sort));
    return nh_parse_fail(p, token, NH_NAME, "'%s' is already %s, declared in line %d", quote,
                         nh_sort_text(p, symbol->sort), p->tokens.token[symbol->token].line);
}

bool nh_parse_new_column(nh_parser *p, const char **name)
{
    static const char *const taken[] = {"energy_error", "constraint", "member"};
    const uint32_t token = p->at;
    if (!nh_parse_new_name(p, name))
        return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!strcmp(*name, taken[i]))
            return nh_parse_fail(p, token, NH_NAME, "'%s' is a column of every result; choose another name", *name);
    return true;
}

bool nh_parse_append(nh_parser *p, void *items_pointer, int count, size_t item_size)
{
    bool full = count == 0 || (count >= 8 && (count & (count - 1)) == 0);
    if (!full)
        return true;
    void *old, *items = nh_arena_array(&p->model->arena, count ? 2 * (size_t)count : 8, item_size);
    if (!items)
        return nh_parse_memory(p);
    memcpy(&old, items_pointer, sizeof old);
    if (count)
        memcpy(items, old, (size_t)count * item_size);
    memcpy(items_pointer, &items, sizeof items);
    return true;
}

/* ---- Statements ---- */

enum { ALL = NH_IN_LAGRANGIAN | NH_IN_DAE | NH_IN_HAMILTONIAN };

static const nh_statement table[] = {
    {"name", nh_parse_title, NH_PHASE_TEXT, ALL, true, true},
    {"about", nh_parse_about, NH_PHASE_TEXT, ALL, false, true},
    {"cite", nh_parse_cite, NH_PHASE_TEXT, ALL, false, true},
    {"sizes", nh_parse_sizes, NH_PHASE_SIZES, ALL, false, false},
    {"parameters", nh_parse_parameters, NH_PHASE_VALUES, ALL, false, false},
    {"let", nh_parse_let, NH_PHASE_VALUES, ALL, false, false},
    {"observable", nh_parse_observable, NH_PHASE_EQUATIONS, ALL, false, false},
    {"invariant", nh_parse_invariant, NH_PHASE_EQUATIONS, ALL, false, false},
    {"initial", nh_parse_initial, NH_PHASE_EQUATIONS, ALL, false, false},
    {"exact", nh_parse_exact, NH_PHASE_EQUATIONS, ALL, false, false},
    {"step", nh_parse_step, NH_PHASE_EQUATIONS, ALL, true, false},
    {"until", nh_parse_until, NH_PHASE_EQUATIONS, ALL, true, false},
    {"coordinates", nh_parse_coordinates, NH_PHASE_VECTORS, NH_IN_LAGRANGIAN, false, false},
    {"lagrangian", nh_parse_lagrangian, NH_PHASE_EQUATIONS, NH_IN_LAGRANGIAN, true, false},
    {"constraint", nh_parse_constraint, NH_PHASE_CONSTRAINTS, NH_IN_LAGRANGIAN | NH_IN_DAE, false, false},
    {"holonomic", nh_parse_holonomic, NH_PHASE_CONSTRAINTS, NH_IN_LAGRANGIAN, false, false},
    {"force", nh_parse_force, NH_PHASE_EQUATIONS, NH_IN_LAGRANGIAN, false, false},
    {"reaction", nh_parse_reaction, NH_PHASE_EQUATIONS, NH_IN_LAGRANGIAN, false, false},
    {"symmetry", nh_parse_symmetry, NH_PHASE_EQUATIONS, NH_IN_LAGRANGIAN, false, false},
    {"states", nh_parse_coordinates, NH_PHASE_VECTORS, NH_IN_DAE, false, false},
    {"algebraic", nh_parse_algebraic, NH_PHASE_VECTORS, NH_IN_DAE, false, false},
    {"part", nh_parse_part, NH_PHASE_EQUATIONS, NH_IN_DAE, false, false},
    {"variables", nh_parse_coordinates, NH_PHASE_VECTORS, NH_IN_HAMILTONIAN, false, false},
    {"hamiltonian", nh_parse_hamiltonian, NH_PHASE_EQUATIONS, NH_IN_HAMILTONIAN, true, false},
    {"structure", nh_parse_structure, NH_PHASE_EQUATIONS, NH_IN_HAMILTONIAN, false, false},
};
enum { ROWS = sizeof table / sizeof *table };

const nh_statement *nh_statement_find(const char *word, size_t length)
{
    for (int i = 0; i < ROWS; i++)
        if (!strncmp(table[i].keyword, word, length) && !table[i].keyword[length])
            return &table[i];
    return NULL;
}

static bool is_text(const char *word, size_t length)
{
    const nh_statement *row = nh_statement_find(word, length);
    return row && row->text;
}

static bool fail_unknown_statement(nh_parser *p, uint32_t token)
{
    char quote[NH_QUOTE];
    nh_token_quote(&p->tokens, token, quote);
    const char *best = NULL;
    size_t distance = 0;
    for (int i = 0; i < ROWS; i++)
        if (!best || distance > 1)
            nh_nearer(quote, table[i].keyword, &best, &distance);
    if (best)
        return nh_parse_fail(p, token, NH_SYNTAX, "unknown statement '%s'; did you mean '%s'?", quote, best);
    return nh_parse_fail(p, token, NH_SYNTAX,
                         "unknown statement '%s'; lines that go on with the statement above begin with a blank", quote);
}

/* Finds the row of each statement; a statement that may stand once must not stand twice. */
static bool find_rows(nh_parser *p)
{
    const nh_tokens *t = &p->tokens;
    int line[ROWS] = {0};
    p->row = NH_NEW(&p->scratch, const nh_statement *, t->statements);
    if (!p->row)
        return nh_parse_memory(p);
    for (uint32_t s = 0; s < t->statements; s++) {
        uint32_t keyword = t->statement[s];
        const nh_statement *row = nh_statement_find(nh_token_text(t, keyword), t->token[keyword].length);
        if (!row)
            return fail_unknown_statement(p, keyword);
        if (row->once && line[row - table])
            return nh_parse_fail(p, keyword, NH_MODEL, "'%s' may be given only once; it is in line %d already",
                                 row->keyword, line[row - table]);
        line[row - table] = t->token[keyword].line;
        p->row[s] = row;
    }
    return true;
}

static nh_kind first_kind(int kinds)
{
    return kinds & NH_IN_LAGRANGIAN ? NH_LAGRANGIAN : kinds & NH_IN_DAE ? NH_DAE : NH_HAMILTONIAN;
}

/* The statements tell what kind of system it is; they must agree. */
static bool find_kind(nh_parser *p)
{
    static const char *const system[] = {"Lagrangian systems", "differential-algebraic systems", "Hamiltonian systems"};
    static const char *const vector[] = {"coordinates", "states", "variables"};
    const nh_tokens *t = &p->tokens;
    int kinds = ALL;
    bool has_vector = false;
    for (uint32_t s = 0, decided = 0; s < t->statements; s++) {
        const nh_statement *row = p->row[s];
        if (!(kinds & row->kinds))
            return nh_parse_fail(p, t->statement[s], NH_MODEL, "'%s' belongs to %s, but '%s' in line %d does not",
                                 row->keyword, system[first_kind(row->kinds)], p->row[decided]->keyword,
                                 t->token[t->statement[decided]].line);
        decided = (kinds & row->kinds) != kinds ? s : decided;
        kinds &= row->kinds;
        has_vector |= row->parse == nh_parse_coordinates;
    }
    p->model->kind = first_kind(kinds);
    if (t->statements == 0)
        return nh_parse_fail(p, 0, NH_MODEL, "the text contains no statement");
    return has_vector || nh_parse_fail(p, 0, NH_MODEL, "the model has no '%s'%s", vector[p->model->kind],
                                       kinds & (kinds - 1) ? " (and no 'states', no 'variables')" : "");
}

static int compare_blocks(const void *a, const void *b)
{
    const nh_block *x = a, *y = b;
    if (x->space != y->space)
        return x->space < y->space ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->count > 0) - (y->count > 0); /* empty ones take no room */
}

static bool read_phase(nh_parser *p, nh_phase phase)
{
    for (uint32_t s = 0; s < p->tokens.statements; s++) {
        if (p->row[s]->phase != phase)
            continue;
        p->statement = p->row[s];
        p->keyword = p->tokens.statement[s];
        p->at = p->keyword + 1;
        if (!p->statement->parse(p))
            return false;
        if (nh_kind_at(p, p->at) != NH_T_END)
            return nh_parse_unexpected(p, "an operator or the end of the statement");
    }
    return true;
}

static bool read_all(nh_parser *p, nh_source source, const nh_model_options *options)
{
    p->status = nh_tokens_read(&p->tokens, source, is_text, p->error);
    if (p->status || !find_rows(p) || !find_kind(p))
        return false;
    if (!nh_scope_start(&p->scope))
        return nh_parse_memory(p);
    if (!nh_replace_read(p, options))
        return false;
    for (int phase = 0; phase < NH_PHASES; phase++) {
        if (phase == NH_PHASE_CONSTRAINTS && p->model->blocks)
            qsort(p->model->block, (size_t)p->model->blocks, sizeof *p->model->block, compare_blocks);
        if (phase == NH_PHASE_EQUATIONS && !nh_initial_start(p))
            return false;
        if (!read_phase(p, (nh_phase)phase))
            return false;
    }
    return nh_replace_check(p) && nh_initial_finish(p) && nh_parse_check(p);
}

void nh_parser_free(nh_parser *p)
{
    nh_tokens_free(&p->tokens);
    nh_scope_free(&p->scope);
    nh_scope_free(&p->constraint_labels);
    nh_scope_free(&p->symmetry_names);
    nh_scope_free(&p->part_names);
    nh_arena_free(&p->scratch);
    free(p->entry);
    free(p->value);
    free(p->integer);
    free(p->pending);
    free(p->integer_pending);
}

nh_status nh_model_parse(const char *text, unsigned long length, const char *file, const nh_model_options *options,
                         nh_model **out, nh_error *error)
{
    *out = NULL;
    if (!file)
        file = "";
    nh_model *model = calloc(1, sizeof *model);
    if (!model)
        return nh_fail(error, NH_MEMORY, "out of memory while reading %s", file);
    nh_parser p = {.model = model, .error = error};
    p.graph = model->graph = nh_graph_new();
    model->file = nh_arena_text(&model->arena, file, strlen(file));
    model->name = model->about = model->cite = "";
    nh_source source = {.file = file, .text = text ? text : "", .length = text ? length : 0};
    bool good = p.graph && model->file ? read_all(&p, source, options) : nh_parse_memory(&p);
    if (good && (model->arena.failed || p.scratch.failed))
        good = nh_parse_memory(&p);
    nh_parser_free(&p);
    if (good) {
        nh_graph_seal(model->graph);
        *out = model;
    } else {
        nh_model_free(model);
    }
    return good ? NH_OK : p.status;
}
