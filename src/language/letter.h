/* SPDX-License-Identifier: MIT */
/* Which characters a model text is made of. */
#ifndef NH_LANGUAGE_LETTER_H
#define NH_LANGUAGE_LETTER_H

#include <stdbool.h>
#include <stdint.h>

/* Letters of the alphabets that mathematics uses, and a few more; digits and marks are none. */
bool nh_is_letter(uint32_t code);
/* How to write a character that people take for an operator; NULL if there is no advice. */
const char *nh_character_advice(uint32_t code);

#endif
