/* SPDX-License-Identifier: MIT */
/* Statements that are equations: Lagrangian, Hamiltonian, constraints, forces, symmetries, parts, the structure J. */
#include "language/parse.h"

#include <inttypes.h>
#include <string.h>

enum {
    T = 1 << NH_TIME,
    PARAMETERS = 1 << NH_PARAMETER,
    Q = 1 << NH_Q,
    V = 1 << NH_V,
    LAMBDA = 1 << NH_LAMBDA,
};

/* ---- Items with a range ---- */

static bool open_item(nh_parser *p, const nh_item *item)
{
    return !item->range.name || nh_loop_open(p, &item->range, NH_OPEN);
}

/* Returns the number of rounds: 0 if what was read is never there, 1 if there is no range. */
static int64_t close_item(nh_parser *p, const nh_item *item)
{
    const int64_t rounds = p->dead ? 0 : item->range.name ? item->range.count.constant : 1;
    if (item->range.name)
        nh_loop_close(p);
    return rounds;
}

/* What an expression is in a single round. */
static nh_expr in_single_round(nh_parser *p, nh_expr value)
{
    return nh_reindex(p->graph, value, NH_OPEN, nh_affine_constant(0));
}

/* ---- Lagrangian and Hamiltonian ---- */

bool nh_parse_lagrangian(nh_parser *p)
{
    static const nh_rules rules = {"a Lagrangian", T | PARAMETERS | Q | V};
    if (!nh_parse_expression(p, &rules, &p->model->lagrangian))
        return false;
    return nh_depends(p->graph, p->model->lagrangian, V) ||
           nh_parse_fail(p, p->keyword, NH_MODEL,
                         "the Lagrangian contains no velocity; the velocity of x is written x'");
}

bool nh_parse_hamiltonian(nh_parser *p)
{
    static const nh_rules rules = {"a Hamiltonian", PARAMETERS | Q};
    if (!nh_parse_expression(p, &rules, &p->model->lagrangian))
        return false;
    return nh_depends(p->graph, p->model->lagrangian, Q) ||
           nh_parse_fail(p, p->keyword, NH_MODEL, "the Hamiltonian contains no variable");
}

/* ---- Constraints ---- */

/* Refuses a constraint that says nothing, cannot hold, or is not of its kind. */
static bool check_constraint(nh_parser *p, nh_expr value, uint32_t needed, bool holonomic)
{
    if (nh_depends(p->graph, value, needed))
        return true;
    if (nh_is_number(p->graph, value, 0))
        return nh_parse_fail(p, p->keyword, NH_MODEL, "the two sides of the constraint are the same: it says 0 = 0");
    if (nh_get(p->graph, value).op == NH_NUMBER)
        return nh_parse_fail(p, p->keyword, NH_MODEL, "the constraint can never hold: its sides are different numbers");
    if (p->model->kind == NH_DAE)
        return nh_parse_fail(p, p->keyword, NH_MODEL, "the constraint contains no state");
    if (holonomic)
        return nh_parse_fail(p, p->keyword, NH_MODEL, "the holonomic constraint contains no coordinate");
    if (nh_depends(p->graph, value, Q))
        return nh_parse_fail(p, p->keyword, NH_MODEL,
                             "the constraint contains no velocity; a constraint on positions is written 'holonomic'");
    return nh_parse_fail(p, p->keyword, NH_MODEL,
                         "the constraint contains no velocity; the velocity of x is written x'");
}

/* left = right [for ...] */
static bool read_equation(nh_parser *p, const nh_rules *rules, nh_expr *value, int64_t *count)
{
    nh_item item;
    nh_expr left, right;
    if (!nh_item_find(p, &item) || !open_item(p, &item) || !nh_parse_expression(p, rules, &left))
        return false;
    if (!nh_parse_accept(p, '='))
        return nh_kind_at(p, p->at) == NH_T_END || nh_kind_at(p, p->at) == NH_T_FOR
                   ? nh_parse_fail(p, p->at, NH_SYNTAX, "a constraint is an equation: write it as ... = ...")
                   : nh_parse_unexpected(p, "an operator or '='");
    if (!nh_parse_expression(p, rules, &right))
        return false;
    *value = nh_sub(p->graph, left, right);
    *count = close_item(p, &item);
    if (*count == 1)
        *value = in_single_round(p, *value);
    return nh_parse_graph(p, p->keyword) && nh_item_finish(p, &item);
}

/* Labels and names of symmetries are no names of expressions; each kind has a table of its own. */
static bool add_label(nh_parser *p, nh_scope *labels, uint32_t token, const char *label)
{
    const nh_symbol *before = nh_scope_find(labels, label, strlen(label));
    if (before)
        return nh_parse_fail(p, token, NH_NAME, "'%.60s' is used in line %d already; choose another name", label,
                             p->tokens.token[before->token].line);
    nh_symbol *symbol = nh_scope_add(labels, label, NH_S_OUTPUT);
    if (!symbol)
        return nh_parse_memory(p);
    symbol->token = token;
    return true;
}

static bool read_constraint(nh_parser *p, const nh_rules *rules, uint32_t needed, nh_constraint **list, int *count,
                            int *rows)
{
    nh_model *m = p->model;
    const nh_token *keyword = &p->tokens.token[p->keyword];
    nh_constraint c = {.first = *rows, .line = keyword->line, .column = keyword->column};
    int64_t family = 0;
    uint32_t label = p->at;
    if (nh_kind_at(p, p->at) == NH_T_NAME && nh_kind_at(p, p->at + 1) == ':') {
        if (!nh_parse_label(p, &c.label) || !add_label(p, &p->constraint_labels, label, c.label))
            return false;
        p->at++;
    }
    if (!read_equation(p, rules, &c.value, &family))
        return false;
    if (family == 0)
        return true;
    if (!check_constraint(p, c.value, needed, rows == &m->holonomic))
        return false;
    if (m->kind == NH_LAGRANGIAN && m->m + m->holonomic + family >= m->n)
        return nh_parse_fail(p, p->keyword, NH_MODEL,
                             "too many constraints: %" PRId64 " of them leave %d coordinate%s no freedom",
                             m->m + m->holonomic + family, m->n, m->n == 1 ? "" : "s");
    if (family > NH_MOST_COMPONENTS - *rows)
        return nh_parse_fail(p, p->keyword, NH_LIMIT, "there are more than %d constraints", NH_MOST_COMPONENTS);
    c.count = (int)family;
    *rows += c.count;
    if (!nh_parse_append(p, list, *count, sizeof **list))
        return false;
    (*list)[(*count)++] = c;
    return true;
}

bool nh_parse_constraint(nh_parser *p)
{
    static const nh_rules rules[] = {{"a constraint", T | PARAMETERS | Q | V},
                                     {"a constraint of a differential-algebraic system", T | PARAMETERS | Q}};
    nh_model *m = p->model;
    p->place_constraint = p->keyword;
    bool dae = m->kind == NH_DAE;
    return read_constraint(p, &rules[dae], dae ? Q : V, &m->constraint, &m->constraints, &m->m);
}

bool nh_parse_holonomic(nh_parser *p)
{
    static const nh_rules rules = {"a holonomic constraint", T | PARAMETERS | Q};
    nh_model *m = p->model;
    return read_constraint(p, &rules, Q, &m->holonomic_constraint, &m->holonomic_constraints, &m->holonomic);
}

/* ---- Vectors: one item per component ---- */

static bool mark_row(nh_parser *p, const nh_target *target, int64_t row)
{
    uint32_t before = p->vector.given[row];
    p->vector.given[row] = target->token;
    if (before <= p->vector.since)
        return true;
    nh_text name = {0};
    nh_model_component_name(p->model, NH_Q, (int)row, false, &name);
    nh_parse_fail(p, target->token, NH_MODEL, "the component '%.60s' is given twice; the first time in line %d",
                  nh_text_get(&name), p->tokens.token[before].line);
    nh_text_free(&name);
    return false;
}

/* Adds the piece of an item that has some rounds. */
static bool add_piece(nh_parser *p, nh_field *field, int64_t rounds, nh_affine row, nh_affine column, nh_expr value)
{
    nh_piece piece = {.loops = rounds > 1, .row = row, .column = column, .value = value};
    if (rounds > 1) {
        piece.count[0] = nh_affine_constant(rounds);
    } else {
        piece.value = in_single_round(p, value);
        piece.row = nh_affine_constant(row.constant);
        piece.column = nh_affine_constant(column.constant);
    }
    if (nh_is_number(p->graph, value, 0))
        return true; /* what is not given is zero */
    return nh_field_add(field, &piece) || nh_parse_memory(p);
}

static bool check_prime(nh_parser *p, const nh_target *target)
{
    char quote[NH_QUOTE];
    nh_token_quote(&p->tokens, target->token, quote);
    if (p->vector.derivative && target->space != NH_V)
        return nh_parse_fail(p, target->token, NH_SYNTAX, "a part gives derivatives: write %s' = ...", quote);
    if (!p->vector.derivative && target->space == NH_V)
        return nh_parse_fail(p, target->token, NH_SYNTAX,
                             "a component is named after its coordinate, without ': write %s = ...", quote);
    return true;
}

static bool read_piece(nh_parser *p, nh_item *item)
{
    nh_target target;
    nh_expr value;
    if (!open_item(p, item) || !nh_parse_target(p, 1u << NH_S_COORDINATE, &target) || !check_prime(p, &target) ||
        !nh_parse_expect(p, '=', "'='") || !nh_parse_expression(p, p->vector.rules, &value))
        return false;
    int64_t rounds = close_item(p, item), index[NH_INDICES] = {0};
    if (rounds == 0)
        return true;
    for (int64_t i = 0; i < rounds; i++) {
        index[NH_OPEN] = i;
        if (!nh_parse_spend(p, 1) || !mark_row(p, &target, nh_affine_value(target.component, index)))
            return false;
    }
    return add_piece(p, p->vector.field, rounds, target.component, nh_affine_constant(0), value) &&
           nh_parse_graph(p, target.token);
}

/* Reads a list of components into a field. `given` is kept for the next statement where that may add to the field. */
static bool read_vector(nh_parser *p, nh_field *field, const nh_rules *rules, uint32_t **given, uint32_t since)
{
    if (!*given)
        *given = NH_NEW(&p->scratch, uint32_t, p->model->n + 1);
    if (!*given)
        return nh_parse_memory(p);
    field->rows = p->model->n;
    field->columns = 1;
    p->vector.field = field;
    p->vector.rules = rules;
    p->vector.given = *given;
    p->vector.since = since;
    p->vector.derivative = p->model->kind == NH_DAE;
    return nh_item_list(p, read_piece);
}

bool nh_parse_force(nh_parser *p)
{
    static const nh_rules rules = {"a force", T | PARAMETERS | Q | V};
    return read_vector(p, &p->model->force, &rules, &p->force_given, 0);
}

bool nh_parse_reaction(nh_parser *p)
{
    static const nh_rules rules = {"a reaction", T | PARAMETERS | Q | V | LAMBDA};
    if (p->model->m + p->model->holonomic == 0)
        return nh_parse_fail(p, p->keyword, NH_MODEL,
                             "a reaction needs a constraint that it belongs to; write 'force'");
    return read_vector(p, &p->model->reaction, &rules, &p->reaction_given, 0);
}

/* NAME: list of components. The rows that earlier statements gave do not count. */
static bool read_named_vector(nh_parser *p, nh_field *field, const nh_rules *rules)
{
    if (!nh_parse_expect(p, ':', "':' after the name"))
        return false;
    return read_vector(p, field, rules, &p->row_given, p->keyword);
}

bool nh_parse_symmetry(nh_parser *p)
{
    static const nh_rules rules = {"a symmetry", PARAMETERS | Q};
    nh_model *m = p->model;
    const char *name;
    uint32_t token = p->at;
    if (!nh_parse_label(p, &name) || !add_label(p, &p->symmetry_names, token, name))
        return false;
    if (!nh_parse_append(p, &m->symmetry, m->symmetries, sizeof *m->symmetry))
        return false;
    nh_symmetry *symmetry = &m->symmetry[m->symmetries++];
    *symmetry = (nh_symmetry){.name = name};
    if (!read_named_vector(p, &symmetry->field, &rules))
        return false;
    return symmetry->field.pieces > 0 ||
           nh_parse_fail(p, token, NH_MODEL, "all components of the symmetry '%.60s' are 0", name);
}

bool nh_parse_part(nh_parser *p)
{
    static const nh_rules rules = {"a part", T | PARAMETERS | Q | LAMBDA};
    nh_model *m = p->model;
    const char *name;
    uint32_t token = p->at;
    int most = (int)(sizeof m->part / sizeof *m->part);
    if (!nh_parse_label(p, &name) || !add_label(p, &p->part_names, token, name))
        return false;
    if (m->parts == most)
        return nh_parse_fail(p, p->keyword, NH_LIMIT, "there are more than %d parts", most);
    nh_part *part = &m->part[m->parts++];
    part->name = name;
    return read_named_vector(p, &part->field, &rules);
}

/* ---- The structure J ---- */

static bool mark_entry(nh_parser *p, uint32_t token, int64_t row, int64_t column)
{
    if (row == column)
        return nh_parse_fail(p, token, NH_MODEL, "an entry on the diagonal of J is 0, because J is antisymmetric");
    if (!nh_parse_spend(p, 1))
        return false;
    if (!nh_grow(&p->entry, &p->entry_capacity, p->entries, sizeof *p->entry))
        return nh_parse_memory(p);
    bool upper = row < column;
    p->entry[p->entries++] = (nh_entry){(int)(upper ? row : column), (int)(upper ? column : row), token};
    return true;
}

static bool read_pair(nh_parser *p, nh_target *row, nh_target *column)
{
    const uint32_t sorts = 1u << NH_S_COORDINATE;
    bool named = nh_kind_at(p, p->at) == NH_T_NAME && p->tokens.token[p->at].length == 1 &&
                 *nh_token_text(&p->tokens, p->at) == 'J';
    if (!named)
        return nh_parse_unexpected(p, "an entry of J, like J[x, p] = -1");
    p->at++;
    if (!nh_parse_expect(p, '[', "'['") || !nh_parse_target(p, sorts, row) || !nh_parse_expect(p, ',', "','") ||
        !nh_parse_target(p, sorts, column) || !nh_parse_expect(p, ']', "']'"))
        return false;
    const nh_target *wrong = row->space == NH_V ? row : column;
    if (wrong->space == NH_V)
        return nh_parse_fail(p, wrong->token, NH_SYNTAX, "an entry of J is named by two variables, without '");
    return true;
}

static bool read_entry(nh_parser *p, nh_item *item)
{
    static const nh_rules rules = {"an entry of J", PARAMETERS};
    nh_target row = {0}, column = {0};
    nh_expr value = 0;
    uint32_t token = p->at;
    if (!open_item(p, item) || !read_pair(p, &row, &column) || !nh_parse_expect(p, '=', "'='") ||
        !nh_parse_expression(p, &rules, &value))
        return false;
    int64_t rounds = close_item(p, item), index[NH_INDICES] = {0};
    if (rounds == 0)
        return true;
    if (rounds > 1 && row.component.terms + column.component.terms == 0)
        return nh_parse_fail(p, token, NH_MODEL, "this entry of J is given %" PRId64 " times", rounds);
    for (int64_t i = 0; i < rounds; i++) {
        index[NH_OPEN] = i;
        if (!mark_entry(p, token, nh_affine_value(row.component, index), nh_affine_value(column.component, index)))
            return false;
    }
    nh_field *structure = &p->model->structure;
    return add_piece(p, structure, rounds, row.component, column.component, value) &&
           add_piece(p, structure, rounds, column.component, row.component, nh_neg(p->graph, value)) &&
           nh_parse_graph(p, token);
}

bool nh_parse_structure(nh_parser *p)
{
    p->model->structure.rows = p->model->structure.columns = p->model->n;
    return nh_item_list(p, read_entry);
}
