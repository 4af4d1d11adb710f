/* SPDX-License-Identifier: MIT */
/* Text for people on a terminal: sections, labels, wrapped lines. */
#ifndef NH_BASE_PAGE_H
#define NH_BASE_PAGE_H

#include "base/text.h"

enum { NH_PAGE_WIDTH = 96 };

/* A heading; the text after it is indented. */
void nh_page_section(nh_text *out, const char *title);
/* "  label        text", wrapped under itself; label "" goes on with the one above. */
void nh_page_line(nh_text *out, const char *label, const char *text);
void nh_page_add(nh_text *out, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for a formula, which is broken at its operators. */
void nh_page_formula(nh_text *out, const char *label, const char *text);
/* The same with the text starting in another column. */
void nh_page_column(nh_text *out, int column, const char *label, const char *text);
/* Wrapped text, every line of which starts with so many blanks. */
void nh_page_wrap(nh_text *out, int indent, const char *text);

#endif
