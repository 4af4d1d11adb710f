/* SPDX-License-Identifier: MIT */
/* What the files of the model parser share. Functions return false after they have filled in the error. */
#ifndef NH_LANGUAGE_PARSE_H
#define NH_LANGUAGE_PARSE_H

#include "language/lexer.h"
#include "language/nest.h"
#include "language/scope.h"
#include "model/model.h"

enum {
    NH_MOST_COMPONENTS = 1000000, /* coordinates, parameters, … of a model */
    NH_MOST_NODES = 1 << 22,      /* of the graph when the parser is done */
    NH_MOST_WORK = 10000000       /* tokens read (again for each round of an item) and nodes copied */
};

/* Statements are read in phases, each in the order of the file. */
enum { NH_SUBSCRIPT_TERMS = 4 }; /* loop indices in one subscript or limit */

typedef enum nh_phase {
    NH_PHASE_TEXT,
    NH_PHASE_SIZES,
    NH_PHASE_VECTORS,     /* coordinates, states, … */
    NH_PHASE_VALUES,      /* parameters and lets, which may use those above */
    NH_PHASE_CONSTRAINTS, /* known before a reaction uses their multipliers */
    NH_PHASE_EQUATIONS,
    NH_PHASES
} nh_phase;

enum { NH_IN_LAGRANGIAN = 1 << NH_LAGRANGIAN, NH_IN_DAE = 1 << NH_DAE, NH_IN_HAMILTONIAN = 1 << NH_HAMILTONIAN };

typedef struct nh_parser nh_parser;

typedef struct nh_statement {
    const char *keyword;
    bool (*parse)(nh_parser *p);
    nh_phase phase;
    int kinds; /* NH_IN_… of the systems that it belongs to */
    bool once, text;
} nh_statement;

/* What an expression may contain. */
typedef struct nh_rules {
    const char *where; /* "a holonomic constraint" */
    uint32_t spaces;
} nh_rules;

/* A value from outside of the file: name=expression. */
typedef struct nh_replacement {
    uint32_t token; /* the name */
    bool initial;   /* else a size or parameter */
    bool taken;
} nh_replacement;

/* Something that was given at a place: an entry of J. */
typedef struct nh_entry {
    int row, column;
    uint32_t token;
} nh_entry;

/* An operator or bracket that waits for its right side. */
typedef struct nh_pending {
    uint8_t op;
    uint8_t arguments;
    uint32_t token;
    uint64_t work; /* done before a sum */
} nh_pending;

struct nh_parser {
    nh_model *model;
    nh_graph *graph;
    nh_error *error;
    nh_status status;
    nh_arena scratch;

    nh_tokens tokens;
    uint32_t at;                   /* next token */
    uint32_t keyword;              /* token of the statement that is being read */
    const nh_statement *statement; /* NULL: a text outside of all statements */
    const nh_statement **row;      /* by statement of the file */

    nh_scope scope;
    nh_scope constraint_labels, symmetry_names, part_names;
    nh_loop loop[NH_MAX_NEST];
    int loops, dead; /* dead: the number of loops from the first that never runs on */
    const nh_rules *rules;
    int parameters_ready; /* parameters from here on are not defined yet */
    bool reading_initial;
    uint32_t *initial_used; /* tokens by component (q, v, z), or 0: where an initial value is used, is given */
    uint32_t *initial_given;
    int initial_count; /* given so far */

    nh_replacement *replacement;
    int replacements;
    struct {
        nh_field *field; /* the vector that the statement fills */
        const nh_rules *rules;
        uint32_t *given; /* by row: the token that gave it; those before `since` do not count */
        uint32_t since;
        bool derivative; /* left sides have a ' */
    } vector;
    uint32_t *force_given, *reaction_given, *row_given;
    nh_entry *entry; /* of J */
    size_t entry_capacity;
    uint32_t entries;
    uint32_t place_constraint, place_exact, place_algebraic; /* tokens for messages at the end; 0: none */

    uint64_t work, copied; /* copied: nodes that closing sums went through, at most */
    nh_expr *value;        /* stacks of the expression parser */
    nh_affine *integer;
    nh_pending *pending, *integer_pending;
    size_t value_capacity, integer_capacity, pending_capacity, integer_pending_capacity;
    uint32_t values, integers, pendings, integer_pendings;
};

/* ---- parse.c: messages and small steps ---- */

/* Gives back all that the parser holds; not the model. */
void nh_parser_free(nh_parser *p);
/* Fails at a token; token 0: without a place in the text. Always returns false. */
bool nh_parse_fail(nh_parser *p, uint32_t token, nh_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool nh_parse_memory(nh_parser *p);
/* Fails at the next token, which is not what was expected. */
bool nh_parse_unexpected(nh_parser *p, const char *expected);
/* Counts work; fails when there was too much. */
bool nh_parse_spend(nh_parser *p, uint64_t work);
/* Fails if the graph has failed or is too large. */
bool nh_parse_graph(nh_parser *p, uint32_t token);
static inline int nh_kind_at(const nh_parser *p, uint32_t token)
{
    return p->tokens.token[token].kind;
}
/* Passes a token of this kind if it is the next one. */
bool nh_parse_accept(nh_parser *p, int kind);
/* Passes a token of this kind or fails. */
bool nh_parse_expect(nh_parser *p, int kind, const char *expected);
/* Passes a name that is not used yet, and copies it to the model. */
bool nh_parse_new_name(nh_parser *p, const char **name);
/* The same of what results have a column of, beside their own. */
bool nh_parse_new_column(nh_parser *p, const char **name);
/* Passes a name of any use (a label), and copies it to the model. */
bool nh_parse_label(nh_parser *p, const char **name);
/* Room for one more item in an array of the model; items are counted by the caller. */
bool nh_parse_append(nh_parser *p, void *items_pointer, int count, size_t item_size);
const char *nh_sort_text(const nh_parser *p, nh_sort sort); /* "a parameter" */

/* Bits of the spaces that make the state: coordinates with velocities, states with algebraic variables, variables. */
static inline uint32_t nh_state_spaces(const nh_parser *p)
{
    nh_kind kind = p->model->kind;
    return 1u << NH_Q | (kind == NH_LAGRANGIAN ? 1u << NH_V : kind == NH_DAE ? 1u << NH_LAMBDA : 0);
}

/* ---- item.c: ranges and lists ---- */

typedef struct nh_range {
    uint32_t name; /* token of the index; 0: there is no range */
    nh_affine lower, count;
} nh_range;

typedef struct nh_item {
    uint32_t start;  /* first token */
    uint32_t stop;   /* the `for`, or what follows the item */
    uint32_t resume; /* what follows the item and its range */
    nh_range range;
} nh_item;

/* Reads NAME = int .. int after `for`. */
bool nh_parse_range(nh_parser *p, nh_range *range);
/* Finds the end of the item that begins here, and reads its range. */
bool nh_item_find(nh_parser *p, nh_item *item);
/* Checks that the item was read to its end, and goes on behind its range. */
bool nh_item_finish(nh_parser *p, const nh_item *item);
/* Reads a list: calls `read` at the start of every item. */
bool nh_item_list(nh_parser *p, bool (*read)(nh_parser *p, nh_item *item));
/* Calls `read` for every round of the item's range, with the index as a number (or once, if there is no range). */
bool nh_item_each(nh_parser *p, nh_item *item, bool (*read)(nh_parser *p));
bool nh_loop_open(nh_parser *p, const nh_range *range, int index); /* index -1: a number, namely range->lower */
void nh_loop_close(nh_parser *p);
/* Reads a range `a..b` of a declaration in brackets. */
bool nh_parse_bounds(nh_parser *p, int32_t *lower, int32_t *count);

/* ---- expression.c, integer.c, reference.c ---- */

bool nh_parse_expression(nh_parser *p, const nh_rules *rules, nh_expr *out);
/* An integer, affine in the indices of the loops around it. */
bool nh_parse_integer(nh_parser *p, nh_affine *out);
/* The value of the name at p->at, with subscript and ', if that is not a function, sum or product. */
bool nh_parse_reference(nh_parser *p, nh_expr *out);
/* The loop of this name, or NULL. */
const nh_loop *nh_loop_find(const nh_parser *p, uint32_t token);
bool nh_fail_unknown(nh_parser *p, uint32_t token, uint32_t sorts);
/* Reads [subscript] of a symbol if it is indexed, checks it; *element counts from 0. */
bool nh_parse_subscript(nh_parser *p, uint32_t name, const nh_symbol *symbol, nh_affine *element);

typedef struct nh_target {
    uint32_t token;
    nh_space space; /* NH_Q, NH_V or NH_LAMBDA */
    nh_affine component;
} nh_target;
/* Reads the left side of an item: a component of the vectors of these sorts, perhaps with '. */
bool nh_parse_target(nh_parser *p, uint32_t sorts, nh_target *target);

/* ---- statements ---- */

const nh_statement *nh_statement_find(const char *word, size_t length);
bool nh_parse_title(nh_parser *p);
bool nh_parse_about(nh_parser *p);
bool nh_parse_cite(nh_parser *p);
bool nh_parse_sizes(nh_parser *p);
bool nh_parse_coordinates(nh_parser *p);
bool nh_parse_algebraic(nh_parser *p);
bool nh_parse_parameters(nh_parser *p);
bool nh_parse_let(nh_parser *p);
bool nh_parse_observable(nh_parser *p);
bool nh_parse_invariant(nh_parser *p);
bool nh_parse_lagrangian(nh_parser *p);
bool nh_parse_hamiltonian(nh_parser *p);
bool nh_parse_constraint(nh_parser *p);
bool nh_parse_holonomic(nh_parser *p);
bool nh_parse_force(nh_parser *p);
bool nh_parse_reaction(nh_parser *p);
bool nh_parse_symmetry(nh_parser *p);
bool nh_parse_part(nh_parser *p);
bool nh_parse_structure(nh_parser *p);
bool nh_parse_initial(nh_parser *p);
bool nh_parse_exact(nh_parser *p);
bool nh_parse_step(nh_parser *p);
bool nh_parse_until(nh_parser *p);

/* ---- data.c, replace.c, check.c ---- */

/* Initial values: takes memory before the statements, applies replacements and fixes the order after them. */
bool nh_initial_start(nh_parser *p);
bool nh_initial_finish(nh_parser *p);
/* Records the use of initial values: of one component, or of all that an expression contains. */
bool nh_initial_use(nh_parser *p, uint32_t token, nh_space space, nh_affine component);
bool nh_initial_use_all(nh_parser *p, uint32_t token, nh_expr e);

bool nh_replace_read(nh_parser *p, const nh_model_options *options);
/* Goes to the expression that replaces a size, if there is one; p->at is then to be put back. */
bool nh_replace_size(nh_parser *p, uint32_t name, nh_affine *value);
/* Replaces defaults of the parameters of a block that was just defined. */
bool nh_replace_parameters(nh_parser *p, const nh_symbol *symbol);
/* Records that the value at a place of the model is one from outside. */
bool nh_replace_note(nh_parser *p, int place);
/* Complains about replacements of names that are not in the model. */
bool nh_replace_check(nh_parser *p);

/* What can only be told when everything has been read. */
bool nh_parse_check(nh_parser *p);

#endif
