/* SPDX-License-Identifier: MIT */
/* Numbers and characters in files: the same in every locale. */
#ifndef NH_IO_LETTERS_H
#define NH_IO_LETTERS_H

#include "base/text.h"

/* A number as %.*g writes it, with a decimal point in every locale; kept in `buffer`. */
const char *nh_digits(char buffer[40], int digits, double value);

/* The length of the UTF-8 character at `text`; 0 if there is none. */
size_t nh_letter_length(const char *text);
/* The number of characters of a text. */
int nh_letters(const char *text);
/* Adds a text without what upsets programs that read it: control characters become blanks, bytes that are not UTF-8
 * question marks, and `quote` is doubled. */
void nh_letters_add(nh_text *out, const char *text, char quote);

#endif
