/* SPDX-License-Identifier: MIT */
/* Lines, statements and tokens of a model text. */
#include "language/lexer.h"

#include "base/arena.h"
#include "language/letter.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26, MOST_TOKENS = 1 << 22, MOST_DIGITS = 200 };

typedef struct lexer {
    nh_tokens *out;
    const nh_source *source;
    const char *text;
    size_t at, end; /* of the line; the end is where its comment starts */
    int line, column;
    bool first; /* no token of this line yet */
    nh_error *error;
    nh_status status;
} lexer;

static bool fail(lexer *l, nh_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail(lexer *l, nh_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    nh_error_set_list(l->error, status, format, arguments);
    va_end(arguments);
    l->status = status;
    nh_source_place(l->source, l->at, l->line, l->column, l->error);
    return false;
}

static bool out_of_memory(lexer *l)
{
    l->status = nh_fail(l->error, NH_MEMORY, "out of memory while reading %s", l->source->file);
    return false;
}

/* ---- Tokens ---- */

/* Adds the token of `length` bytes and `columns` characters at the current place, and moves behind it. */
static bool add(lexer *l, int kind, size_t length, int columns)
{
    nh_tokens *t = l->out;
    if (t->count >= MOST_TOKENS)
        return fail(l, NH_LIMIT, "the text is too long: at most %d words and symbols are read", MOST_TOKENS);
    if (!nh_grow(&t->token, &t->token_capacity, t->count, sizeof *t->token))
        return out_of_memory(l);
    t->token[t->count++] = (nh_token){.kind = (uint8_t)kind,
                                      .first = l->first,
                                      .source = (uint32_t)(l->source - t->source),
                                      .offset = (uint32_t)l->at,
                                      .length = (uint32_t)length,
                                      .line = l->line,
                                      .column = l->column};
    l->first = false;
    l->at += length;
    l->column += columns;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static char peek(const lexer *l, size_t ahead)
{
    return l->at + ahead < l->end ? l->text[l->at + ahead] : '\0';
}

/* The character `ahead` bytes further if it may be in a name (digits only where allowed): its size, else 0. */
static size_t name_character(const lexer *l, size_t ahead, bool digits)
{
    char c = peek(l, ahead);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (digits && is_digit(c)))
        return 1;
    uint32_t code;
    if ((unsigned char)c < 0x80)
        return 0;
    size_t size = nh_utf8(l->text + l->at + ahead, l->end - l->at - ahead, &code);
    return size && nh_is_letter(code) ? size : 0;
}

static bool read_name(lexer *l)
{
    size_t length = 0, size;
    int columns = 0;
    for (; (size = name_character(l, length, length > 0)); columns++)
        length += size;
    bool loop = length == 3 && !memcmp(l->text + l->at, "for", 3);
    return add(l, loop ? NH_T_FOR : NH_T_NAME, length, columns);
}

static size_t digits(const lexer *l, size_t ahead)
{
    size_t count = 0;
    while (is_digit(peek(l, ahead + count)))
        count++;
    return count;
}

static bool read_number(lexer *l)
{
    size_t length = digits(l, 0), sign, exponent;
    if (peek(l, length) == '.' && peek(l, length + 1) != '.') {
        size_t decimals = digits(l, length + 1);
        if (decimals == 0)
            return fail(l, NH_SYNTAX, "a number needs digits after its point: write %.*s or %.*s.0",
                        (int)(length < 40 ? length : 40), l->text + l->at, (int)(length < 40 ? length : 40),
                        l->text + l->at);
        length += 1 + decimals;
    }
    if (peek(l, length) == 'e' || peek(l, length) == 'E') {
        sign = peek(l, length + 1) == '+' || peek(l, length + 1) == '-';
        exponent = digits(l, length + 1 + sign);
        length += exponent ? 1 + sign + exponent : 0;
    }
    if (length > MOST_DIGITS)
        return fail(l, NH_LIMIT, "a number may have at most %d digits", MOST_DIGITS);
    if (!add(l, NH_T_NUMBER, length, (int)length))
        return false;
    if (!name_character(l, 0, false))
        return true;
    size_t word = 0, size;
    while ((size = name_character(l, word, true)) && word < 40)
        word += size;
    const char *number = l->text + l->at - length;
    return fail(l, NH_SYNTAX, "a product is written with *: %.*s*%.*s", (int)(length < 40 ? length : 40), number,
                (int)word, l->text + l->at);
}

/* A character that begins no token. */
static bool refuse_character(lexer *l)
{
    uint32_t code;
    size_t size = nh_utf8(l->text + l->at, l->source->length - l->at, &code);
    if (size == 0)
        return fail(l, NH_SYNTAX, "the byte 0x%02x is not UTF-8 text; save the file as UTF-8",
                    (unsigned)(unsigned char)l->text[l->at]);
    if (code < 0x20 || code == 0x7F)
        return fail(l, NH_SYNTAX, "the control character 0x%02x is not allowed in a text", (unsigned)code);
    const char *advice = nh_character_advice(code);
    return fail(l, NH_SYNTAX, "the character '%.*s' has no meaning here%s%s", (int)size, l->text + l->at,
                advice ? "; " : "", advice ? advice : "");
}

static bool read_symbol(lexer *l)
{
    char c = peek(l, 0), next = peek(l, 1);
    if (c == '.' && next == '.')
        return add(l, NH_T_RANGE, 2, 2);
    if (c == '.' && is_digit(next))
        return fail(l, NH_SYNTAX, "a number begins with a digit: write 0.%c", next);
    if (c == '=' && next == '=')
        return fail(l, NH_SYNTAX, "an equation is written with a single =");
    if (c == '*' && next == '*')
        return fail(l, NH_SYNTAX, "a power is written with ^");
    if (c == '\'' && next == '\'')
        return fail(l, NH_SYNTAX, "there are no second derivatives: x' is the velocity of x, and x'' has no meaning");
    if (c && strchr("+-*/^()[],=:'", c))
        return add(l, c, 1, 1);
    return refuse_character(l);
}

static bool read_tokens(lexer *l)
{
    while (l->at < l->end) {
        char c = l->text[l->at];
        if (is_blank(c)) {
            l->at++;
            l->column++;
            continue;
        }
        bool good = is_digit(c) ? read_number(l) : name_character(l, 0, false) ? read_name(l) : read_symbol(l);
        if (!good)
            return false;
    }
    return true;
}

/* ---- Brackets ---- */

static bool fail_at(lexer *l, uint32_t token, const char *format, const char *detail)
{
    const nh_token *t = &l->out->token[token];
    l->at = t->offset;
    l->line = t->line;
    l->column = t->column;
    return fail(l, NH_SYNTAX, format, detail);
}

/* Connects the brackets from token `first` on. The open ones form a list through `match`, the innermost first; the
 * first `for` directly inside a bracket stands in the list before it. */
static bool match_brackets(lexer *l, uint32_t first)
{
    nh_token *token = l->out->token;
    uint32_t open = 0;
    for (uint32_t i = first; i < l->out->count; i++) {
        int kind = token[i].kind;
        bool loop_inside = kind == NH_T_FOR && open && token[open].kind != NH_T_FOR;
        if (kind == '(' || kind == '[' || loop_inside) {
            token[i].match = open;
            open = i;
        } else if (kind == ')' || kind == ']') {
            uint32_t loop = open && token[open].kind == NH_T_FOR ? open : 0;
            uint32_t bracket = loop ? token[loop].match : open;
            if (!bracket)
                return fail_at(l, i, "'%s' closes no bracket", kind == ')' ? ")" : "]");
            if ((token[bracket].kind == '(') != (kind == ')'))
                return fail_at(l, i, "this bracket closes '%s', which needs another one",
                               token[bracket].kind == '(' ? "(" : "[");
            open = token[bracket].match;
            token[bracket].match = loop ? loop : i;
            if (loop)
                token[loop].match = i;
        }
    }
    if (open && token[open].kind == NH_T_FOR)
        open = token[open].match;
    return !open || fail_at(l, open, "'%s' is never closed", token[open].kind == '(' ? "(" : "[");
}

uint32_t nh_token_close(const nh_tokens *tokens, uint32_t open)
{
    uint32_t match = tokens->token[open].match;
    return tokens->token[match].kind == NH_T_FOR ? tokens->token[match].match : match;
}

/* ---- Lines and statements ---- */

/* Puts an end token behind the last token and checks the brackets of the statement. */
static bool end_statement(lexer *l, uint32_t first)
{
    lexer behind = *l;
    const nh_token *last = &l->out->token[l->out->count - 1];
    if (l->out->count > first) {
        behind.at = last->offset + last->length;
        behind.line = last->line;
        behind.column = last->column;
        uint32_t code;
        for (size_t i = last->offset, size; i < behind.at; i += size ? size : 1, behind.column++)
            size = nh_utf8(l->text + i, behind.at - i, &code);
    }
    behind.first = false;
    bool good = add(&behind, NH_T_END, 0, 0) && match_brackets(&behind, first);
    l->status = behind.status;
    return good;
}

/* Checks the characters of a comment or a free text from the current place to `end`. */
static bool check_characters(lexer *l, size_t end)
{
    while (l->at < end) {
        uint32_t code;
        size_t size = nh_utf8(l->text + l->at, end - l->at, &code);
        if (size == 0 || code == 0x7F || (code < 0x20 && code != '\t' && code != '\r'))
            return refuse_character(l);
        l->at += size;
        l->column++;
    }
    return true;
}

/* The rest of the line without blanks at its ends, if anything is left. */
static bool read_free_text(lexer *l)
{
    while (l->at < l->end && is_blank(l->text[l->at])) {
        l->at++;
        l->column++;
    }
    size_t end = l->end;
    while (end > l->at && is_blank(l->text[end - 1]))
        end--;
    if (end == l->at)
        return true;
    lexer start = *l;
    if (!check_characters(l, end))
        return false;
    bool good = add(&start, NH_T_TEXT, end - start.at, 0);
    l->status = start.status;
    return good;
}

/* The keyword in the first column; ends the statement before. */
static bool begin_statement(lexer *l)
{
    nh_tokens *t = l->out;
    if (t->statements && !end_statement(l, t->statement[t->statements - 1]))
        return false;
    if (!name_character(l, 0, false)) {
        uint32_t code;
        if (!nh_utf8(l->text + l->at, l->source->length - l->at, &code) || code < 0x20)
            return refuse_character(l);
        return fail(
            l, NH_SYNTAX,
            "a statement begins with a keyword in the first column, and goes on in lines that begin with a blank");
    }
    if (!nh_grow(&t->statement, &t->statement_capacity, t->statements, sizeof *t->statement))
        return out_of_memory(l);
    t->statement[t->statements++] = t->count;
    return read_name(l);
}

static bool read_line(lexer *l, bool (*is_text)(const char *, size_t), bool *text)
{
    size_t end = l->end;
    const char *comment = memchr(l->text + l->at, '#', end - l->at);
    if (comment)
        l->end = (size_t)(comment - l->text);
    size_t start = l->at;
    while (start < l->end && is_blank(l->text[start]))
        start++;
    if (start < l->end) {
        if (start > l->at && l->out->statements == 0) {
            l->column += (int)(start - l->at);
            l->at = start;
            return fail(l, NH_SYNTAX, "a statement begins with a keyword in the first column; take the blanks away");
        }
        if (start == l->at) {
            if (!begin_statement(l))
                return false;
            const nh_token *keyword = &l->out->token[l->out->count - 1];
            *text = is_text(l->text + keyword->offset, keyword->length);
        }
        if (!(*text ? read_free_text(l) : read_tokens(l)))
            return false;
    }
    lexer rest = *l; /* blanks and the comment */
    bool good = check_characters(&rest, end);
    l->status = rest.status;
    return good;
}

/* Adds the source, and token 0 if there is none. */
static bool start(lexer *l, nh_tokens *tokens, nh_source source, nh_error *error)
{
    *l = (lexer){.out = tokens, .source = &source, .text = source.text, .line = 1, .column = 1, .error = error};
    if (source.length > MOST_BYTES) {
        l->status = nh_fail(error, NH_LIMIT, "%s is too long: at most %d bytes are read", source.file, MOST_BYTES);
        return false;
    }
    bool room = nh_grow(&tokens->source, &tokens->source_capacity, tokens->sources, sizeof *tokens->source) &&
                nh_grow(&tokens->token, &tokens->token_capacity, tokens->count, sizeof *tokens->token);
    if (!room)
        return out_of_memory(l);
    if (tokens->count == 0)
        tokens->token[tokens->count++] = (nh_token){.line = 1, .column = 1};
    tokens->source[tokens->sources] = source;
    l->source = &tokens->source[tokens->sources++];
    return true;
}

nh_status nh_tokens_read(nh_tokens *tokens, nh_source source, bool (*is_text)(const char *word, size_t length),
                         nh_error *error)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* some editors put this in front of UTF-8 */
    lexer l;
    bool text = false, good = start(&l, tokens, source, error);
    size_t next = source.length >= 3 && !memcmp(source.text, mark, 3) ? 3 : 0;
    while (good && next < source.length) {
        const char *newline = memchr(source.text + next, '\n', source.length - next);
        l.at = next;
        l.end = newline ? (size_t)(newline - source.text) : source.length;
        l.column = 1;
        l.first = true;
        next = l.end + 1;
        good = read_line(&l, is_text, &text);
        l.line++;
    }
    if (good && tokens->statements)
        end_statement(&l, tokens->statement[tokens->statements - 1]);
    return l.status;
}

nh_status nh_tokens_read_line(nh_tokens *tokens, nh_source source, uint32_t *first, nh_error *error)
{
    lexer l;
    bool good = start(&l, tokens, source, error);
    l.end = source.length;
    *first = tokens->count;
    if (good && read_tokens(&l))
        end_statement(&l, *first);
    return l.status;
}

void nh_tokens_free(nh_tokens *tokens)
{
    free(tokens->source);
    free(tokens->token);
    free(tokens->statement);
    *tokens = (nh_tokens){0};
}

const char *nh_token_text(const nh_tokens *tokens, uint32_t token)
{
    const nh_token *t = &tokens->token[token];
    return tokens->source[t->source].text + t->offset;
}

const char *nh_token_quote(const nh_tokens *tokens, uint32_t token, char quote[NH_QUOTE])
{
    static const char cut[] = "\xE2\x80\xA6";
    const char *text = nh_token_text(tokens, token);
    size_t length = tokens->token[token].length, used = 0, size = 0;
    uint32_t code;
    while (used < length && (size = nh_utf8(text + used, length - used, &code)) && used + size + sizeof cut < NH_QUOTE)
        used += size;
    memcpy(quote, text, used);
    memcpy(quote + used, used < length ? cut : "", used < length ? sizeof cut : 1);
    return quote;
}
