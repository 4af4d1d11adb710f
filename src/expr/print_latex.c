/* SPDX-License-Identifier: MIT */
/* What LaTeX writes differently: names, fractions, functions. */
#include "expr/printer.h"

#include <stdio.h>
#include <string.h>

/* ---- Names ---- */

/* In the order of the alphabet, which is that of Unicode from U+03B1 on; ς is a variant. */
static const char *const greek[] = {
    "alpha", "beta", "gamma", "delta", "epsilon",  "zeta",  "eta", "theta",   "iota", "kappa", "lambda", "mu",   "nu",
    "xi",    "o",    "pi",    "rho",   "varsigma", "sigma", "tau", "upsilon", "phi",  "chi",   "psi",    "omega"};
enum { GREEK = sizeof greek / sizeof greek[0], SMALL_ALPHA = 0x3b1, CAPITAL_ALPHA = 0x391 };

/* Capitals that LaTeX has; the others look like Latin letters. */
static const char *const capitals[] = {"Gamma", "Delta",   "Theta", "Lambda", "Xi",   "Pi",
                                       "Sigma", "Upsilon", "Phi",   "Psi",    "Omega"};

static bool equal(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && !memcmp(word, name, length);
}

/* Is it a Greek letter by name? */
static bool is_greek(const char *name, size_t length)
{
    for (size_t i = 0; i < GREEK; i++)
        if (length > 1 && equal(greek[i], name, length))
            return true;
    for (size_t i = 0; i < sizeof capitals / sizeof capitals[0]; i++)
        if (equal(capitals[i], name, length))
            return true;
    return equal("varphi", name, length) || equal("varepsilon", name, length) || equal("vartheta", name, length);
}

/* The Greek letter of two bytes of UTF-8; false if it is none. */
static bool write_greek_letter(const char *name, size_t length, nh_text *out)
{
    if (length != 2 || ((unsigned char)name[0] & 0xe0) != 0xc0)
        return false;
    int code = ((unsigned char)name[0] & 0x1f) << 6 | ((unsigned char)name[1] & 0x3f);
    if (code >= SMALL_ALPHA && code < SMALL_ALPHA + (int)GREEK) {
        nh_text_add(out, code == SMALL_ALPHA + 14 ? "o" : "\\%s", greek[code - SMALL_ALPHA]);
        return true;
    }
    if (code < CAPITAL_ALPHA || code >= CAPITAL_ALPHA + (int)GREEK)
        return false;
    char word[16];
    snprintf(word, sizeof word, "%s", greek[code - CAPITAL_ALPHA]);
    word[0] = (char)(word[0] - 'a' + 'A');
    nh_text_add(out, is_greek(word, strlen(word)) ? "\\%s" : "\\mathrm{%.1s}", word);
    return true;
}

static void write_word(const char *name, size_t length, nh_text *out)
{
    if (write_greek_letter(name, length, out))
        return;
    bool digits = strspn(name, "0123456789") >= length;
    if (is_greek(name, length))
        nh_text_add(out, "\\%.*s", (int)length, name);
    else if (length == 1 || digits)
        nh_text_bytes(out, name, length);
    else
        nh_text_add(out, "\\mathrm{%.*s}", (int)length, name);
}

/* The letters in front; what follows, digits or a part behind _, is a subscript. */
static size_t stem(const char *name)
{
    const char *bar = strchr(name + 1, '_');
    size_t length = bar ? (size_t)(bar - name) : strlen(name);
    if (bar)
        return length;
    while (length > 1 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    return length;
}

void nh_latex_name(const char *name, bool dot, const char *subscript, nh_text *out)
{
    size_t length = name[0] ? stem(name) : 0;
    const char *tail = name + length;
    nh_text_add(out, dot ? "\\dot{" : "");
    if (name[0] == '_') /* a leading bar is part of the name */
        nh_text_add(out, "\\_"), write_word(name + 1, length - 1, out);
    else
        write_word(name, length, out);
    nh_text_add(out, dot ? "}" : "");
    if (!*tail && !*subscript)
        return;
    nh_text_add(out, "_{");
    for (bool first = true; *tail; first = false) {
        tail += *tail == '_';
        size_t part = strcspn(tail, "_");
        nh_text_add(out, first ? "" : ",");
        write_word(tail, part, out);
        tail += part;
    }
    nh_text_add(out, "%s%s}", *subscript && name[length] ? "," : "", subscript);
}

/* ---- Fractions ---- */

static bool starts_with_digit(const nh_printer *p, nh_expr e)
{
    nh_node n = nh_get(p->g, e);
    if (n.op == NH_POWER)
        n = nh_get(p->g, n.a);
    return n.op == NH_NUMBER;
}

/* The factors on one side of the bar, after the number. */
static void do_side(nh_printer *p, const nh_operands *list, bool divides, nh_number number, bool in_fraction)
{
    size_t count = 0, done = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->item[i].divides == divides;
    bool show = count == 0 || !nh_number_is(number, 1), digit = show;
    if (show)
        nh_do(p, (nh_todo){.kind = NH_DO_NUMBER, .number = number});
    for (size_t i = 0; i < list->count; i++) {
        nh_expr e = list->item[i].e;
        nh_op op = (nh_op)nh_get(p->g, e).op;
        if (list->item[i].divides != divides)
            continue;
        bool last = ++done == count, loop = op == NH_SUM || op == NH_PROD;
        if (done > 1 || show)
            nh_do_text(p, digit && starts_with_digit(p, e) ? " \\cdot " : " ");
        bool alone = in_fraction && count == 1 && !show;
        nh_level level = alone ? NH_LEVEL_ANY : loop && last ? NH_LEVEL_PRODUCT : NH_LEVEL_POWER;
        nh_do_signed(p, e, level, nh_all_negative(p, e));
        digit = starts_with_digit(p, e);
    }
}

void nh_latex_product(nh_printer *p, nh_operands *list, nh_number top, int64_t den)
{
    bool fraction = den != 1;
    for (size_t i = 0; i < list->count; i++)
        fraction |= list->item[i].divides;
    nh_do_text(p, fraction ? "\\frac{" : "");
    do_side(p, list, false, top, fraction);
    if (fraction) {
        nh_do_text(p, "}{");
        do_side(p, list, true, nh_number_integer(den), true);
        nh_do_text(p, "}");
    }
}

/* ---- Functions ---- */

/* Functions whose argument stands between marks of its own. */
static bool between_marks(nh_function f, const char **left, const char **right)
{
    *left = f == NH_F_sqrt ? "\\sqrt{" : f == NH_F_abs ? "\\left\\lvert " : "e^{";
    *right = f == NH_F_abs ? "\\right\\rvert" : "}";
    return f == NH_F_sqrt || f == NH_F_abs || f == NH_F_exp;
}

void nh_latex_call(nh_printer *p, nh_node n, int32_t exponent)
{
    const char *left, *right, *name = nh_function_get((nh_function)n.function)->latex;
    size_t mark = p->count;
    bool marks = between_marks((nh_function)n.function, &left, &right), pow = n.function == NH_F_pow;
    bool group = exponent != 1 && (pow || n.function == NH_F_exp), simple = nh_get(p->g, n.a).op == NH_VARIABLE && !n.b;
    nh_do_text(p, group ? "\\left(" : "");
    if (pow) {
        nh_do_expr(p, n.a, NH_LEVEL_ATOM);
        nh_do_text(p, "^{");
        nh_do_expr(p, n.b, NH_LEVEL_ANY);
        nh_do_text(p, "}");
    } else {
        nh_do_text(p, marks ? left : name);
        if (exponent != 1 && !marks) {
            nh_do_text(p, "^{");
            nh_do_integer(p, exponent);
            nh_do_text(p, "}");
        }
        nh_do_text(p, marks ? "" : simple ? " " : "\\left(");
        nh_do_expr(p, n.a, NH_LEVEL_ANY);
        nh_do_text(p, n.b ? ", " : "");
        if (n.b)
            nh_do_expr(p, n.b, NH_LEVEL_ANY);
        nh_do_text(p, marks ? right : simple ? "" : "\\right)");
    }
    nh_do_text(p, group ? "\\right)" : "");
    if (exponent != 1 && (marks || pow)) {
        nh_do_text(p, "^{");
        nh_do_integer(p, exponent);
        nh_do_text(p, "}");
    }
    nh_do_order(p, mark);
}
