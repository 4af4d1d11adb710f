/* SPDX-License-Identifier: MIT */
/* Claims as text, JSON and Markdown. */
#include "base/json.h"
#include "base/page.h"
#include "base/status.h"
#include "io/claims.h"
#include "io/letters.h"

#include <math.h>
#include <stdio.h>

enum { CELL = 100, DIGITS = 4 };

/* ---- Cells ---- */

static const char *verdict_text(nh_verdict verdict)
{
    static const char *const texts[NH_VERDICTS] = {"agrees", "differs", "not in the paper: measured"};
    return texts[verdict];
}

/* A tolerance as per cent, or the decades that may lie between two numbers as a factor. */
static void format_near(const nh_claim *c, char cell[CELL])
{
    char published[40], tolerance[40];
    nh_digits(published, DIGITS, c->published);
    if (c->comparison == NH_COMPARE_RELATIVE)
        snprintf(cell, CELL, "%s \u00b1 %s %%", published, nh_digits(tolerance, 3, 100 * c->tolerance));
    else
        snprintf(cell, CELL, "~ %s, factor %s", published, nh_digits(tolerance, 2, pow(10, c->tolerance)));
}

static void format_range(const nh_claim *c, char cell[CELL])
{
    char low[40], high[40];
    nh_digits(low, DIGITS, c->low);
    nh_digits(high, DIGITS, c->high);
    if (isinf(c->low) && isfinite(c->high))
        snprintf(cell, CELL, "\u2264 %s", high);
    else if (isinf(c->high) && isfinite(c->low))
        snprintf(cell, CELL, "\u2265 %s", low);
    else
        snprintf(cell, CELL, "%s .. %s", low, high);
}

static void format_expected(const nh_claim *c, char cell[CELL])
{
    if (c->comparison == NH_COMPARE_RELATIVE || c->comparison == NH_COMPARE_MAGNITUDE)
        format_near(c, cell);
    else if (c->comparison == NH_COMPARE_RANGE)
        format_range(c, cell);
    else
        snprintf(cell, CELL, "%s", c->comparison == NH_COMPARE_TRUTH ? "yes" : "");
}

static void format_ours(const nh_claim *c, char cell[CELL])
{
    char digits[40];
    if (c->comparison == NH_COMPARE_TRUTH && !isnan(c->ours))
        snprintf(cell, CELL, "%s", c->ours != 0 ? "yes" : "no");
    else
        snprintf(cell, CELL, "%s", nh_digits(digits, DIGITS, c->ours));
}

static void summary(const nh_claims *claims, nh_text *out)
{
    nh_text_add(out, "%d agree, %d differ, %d measured\n", claims->verdicts[NH_AGREES], claims->verdicts[NH_DIFFERS],
                claims->verdicts[NH_MEASURED]);
}

/* ---- Text ---- */

enum { FIGURE, WHAT, EXPECTED, OURS, VERDICT, COLUMNS };

static const char *const HEADS[COLUMNS] = {"figure", "what", "expected", "here", "verdict"};

typedef struct line {
    const char *cells[COLUMNS];
    char expected[CELL], ours[CELL];
} line;

static void make_line(const nh_claims_row *row, line *out)
{
    format_expected(&row->claim, out->expected);
    format_ours(&row->claim, out->ours);
    out->cells[FIGURE] = row->claim.figure;
    out->cells[WHAT] = row->claim.what;
    out->cells[EXPECTED] = out->expected;
    out->cells[OURS] = out->ours;
    out->cells[VERDICT] = verdict_text(row->verdict);
}

static void add_line(nh_text *out, const char *const *cells, const int *widths)
{
    for (int i = 0; i < COLUMNS; i++) {
        nh_text_add(out, i ? "  " : "");
        nh_letters_add(out, cells[i], '\0');
        if (i + 1 < COLUMNS)
            nh_text_add(out, "%*s", widths[i] - nh_letters(cells[i]), "");
    }
    nh_text_add(out, "\n");
}

static void print_text(const nh_claims *claims, nh_text *out)
{
    int widths[COLUMNS];
    line row;
    for (int i = 0; i < COLUMNS; i++)
        widths[i] = nh_letters(HEADS[i]);
    for (size_t k = 0; k < claims->count; k++) {
        make_line(&claims->rows[k], &row);
        for (int i = 0; i < COLUMNS; i++)
            widths[i] = nh_letters(row.cells[i]) > widths[i] ? nh_letters(row.cells[i]) : widths[i];
    }
    nh_text_add(out, "%s%s", claims->title, claims->title[0] ? "\n\n" : "");
    add_line(out, HEADS, widths);
    for (size_t k = 0; k < claims->count; k++) {
        make_line(&claims->rows[k], &row);
        add_line(out, row.cells, widths);
        if (claims->rows[k].claim.claim[0])
            nh_page_wrap(out, widths[FIGURE] + 4, claims->rows[k].claim.claim);
    }
    nh_text_add(out, "\n");
    summary(claims, out);
}

/* ---- JSON ---- */

static const char *verdict_word(nh_verdict verdict)
{
    static const char *const words[NH_VERDICTS] = {"agrees", "differs", "measured"};
    return words[verdict];
}

/* Only the numbers that were used. */
static void json_comparison(nh_json *j, const nh_claim *c)
{
    static const char *const names[] = {"none", "relative", "range", "magnitude", "truth"};
    bool known = (size_t)c->comparison < sizeof names / sizeof *names;
    nh_json_text(j, "comparison", known ? names[c->comparison] : NULL);
    if (c->comparison == NH_COMPARE_RELATIVE || c->comparison == NH_COMPARE_MAGNITUDE) {
        nh_json_number(j, "published", c->published);
        nh_json_number(j, "tolerance", c->tolerance);
    }
    if (c->comparison == NH_COMPARE_RANGE) {
        nh_json_number(j, "low", c->low);
        nh_json_number(j, "high", c->high);
    }
    if (c->comparison == NH_COMPARE_TRUTH && !isnan(c->ours))
        nh_json_bool(j, "ours", c->ours != 0);
    else
        nh_json_number(j, "ours", c->ours);
}

static void print_json(const nh_claims *claims, nh_text *out)
{
    nh_json j = {.out = out};
    nh_json_object(&j, NULL);
    nh_json_text(&j, "title", claims->title);
    nh_json_array(&j, "claims");
    for (size_t k = 0; k < claims->count; k++) {
        const nh_claims_row *row = &claims->rows[k];
        nh_json_object(&j, NULL);
        nh_json_text(&j, "figure", row->claim.figure);
        nh_json_text(&j, "what", row->claim.what);
        nh_json_text(&j, "claim", row->claim.claim);
        json_comparison(&j, &row->claim);
        nh_json_text(&j, "verdict", verdict_word(row->verdict));
        nh_json_end(&j);
    }
    nh_json_end(&j);
    nh_json_integer(&j, "agree", claims->verdicts[NH_AGREES]);
    nh_json_integer(&j, "differ", claims->verdicts[NH_DIFFERS]);
    nh_json_integer(&j, "measured", claims->verdicts[NH_MEASURED]);
    nh_json_end(&j);
}

/* ---- Markdown ---- */

/* What Markdown would read as its own marks is escaped. */
static void markdown_cell(nh_text *out, const char *text)
{
    nh_text clean = {0};
    nh_letters_add(&clean, text, '\0');
    nh_text_add(out, " ");
    for (const char *c = nh_text_get(&clean); *c; c++) {
        bool mark = *c == '|' || *c == '\\' || *c == '*' || *c == '_' || *c == '`' || *c == '<' || *c == '[' ||
                    *c == ']' || *c == '~';
        nh_text_add(out, mark ? "\\%c" : "%c", *c);
    }
    nh_text_add(out, " |");
    nh_text_drop(&clean, out);
}

static void print_markdown(const nh_claims *claims, nh_text *out)
{
    if (claims->title[0])
        nh_text_add(out, "## %s\n\n", claims->title);
    nh_text_add(out, "| figure | what | the paper | expected | here | verdict |\n|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < claims->count; k++) {
        line row;
        make_line(&claims->rows[k], &row);
        nh_text_add(out, "|");
        markdown_cell(out, row.cells[FIGURE]);
        markdown_cell(out, row.cells[WHAT]);
        markdown_cell(out, claims->rows[k].claim.claim);
        markdown_cell(out, row.cells[EXPECTED]);
        markdown_cell(out, row.cells[OURS]);
        markdown_cell(out, row.cells[VERDICT]);
        nh_text_add(out, "\n");
    }
    nh_text_add(out, "\n");
    summary(claims, out);
}

nh_status nh_claims_print(const nh_claims *claims, nh_claims_format format, char **out, nh_error *error)
{
    nh_text text = {0};
    *out = NULL;
    if (!claims || claims->failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (format == NH_CLAIMS_JSON)
        print_json(claims, &text);
    else if (format == NH_CLAIMS_MARKDOWN)
        print_markdown(claims, &text);
    else
        print_text(claims, &text);
    return nh_text_hand_over(&text, NH_OK, out, error);
}
