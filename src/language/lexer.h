/* SPDX-License-Identifier: MIT */
/* Text to tokens. A statement is its keyword, its tokens, and an end token; brackets are known to match. */
#ifndef NH_LANGUAGE_LEXER_H
#define NH_LANGUAGE_LEXER_H

#include "base/source.h"

/* Every other kind is the character itself. */
enum {
    NH_T_END, /* of a statement */
    NH_T_NAME,
    NH_T_NUMBER,
    NH_T_RANGE, /* .. */
    NH_T_FOR,
    NH_T_TEXT /* the rest of a line, of name, about and cite */
};

typedef struct nh_token {
    uint8_t kind;
    bool first; /* the first of its line */
    uint32_t source;
    uint32_t offset, length; /* bytes */
    int line, column;        /* from 1; in characters */
    uint32_t match; /* (, [: the closing bracket, or the first `for` directly inside; that `for`: the closing bracket */
} nh_token;

typedef struct nh_tokens {
    nh_source *source;
    nh_token *token;     /* token 0 is an end */
    uint32_t *statement; /* first tokens of the statements of the first source */
    size_t source_capacity, token_capacity, statement_capacity;
    uint32_t sources, count, statements;
} nh_tokens; /* all zero is empty */

/* Reads a model text. `is_text` tells the keywords that free text follows. */
nh_status nh_tokens_read(nh_tokens *tokens, nh_source source, bool (*is_text)(const char *word, size_t length),
                         nh_error *error);
/* Reads one line without keyword, like x=1; *first is its first token. */
nh_status nh_tokens_read_line(nh_tokens *tokens, nh_source source, uint32_t *first, nh_error *error);
void nh_tokens_free(nh_tokens *tokens);

/* The text of a token; not NUL-terminated. */
const char *nh_token_text(const nh_tokens *tokens, uint32_t token);
/* The text of a token for messages, cut to what fits. */
enum { NH_QUOTE = 64 };
const char *nh_token_quote(const nh_tokens *tokens, uint32_t token, char quote[NH_QUOTE]);
/* The closing bracket of an opening one. */
uint32_t nh_token_close(const nh_tokens *tokens, uint32_t open);

#endif
