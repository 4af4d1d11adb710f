/* SPDX-License-Identifier: MIT */
#include "io/letters.h"

#include <stdio.h>
#include <string.h>

const char *nh_digits(char buffer[40], int digits, double value)
{
    snprintf(buffer, 40, "%.*g", digits, value);
    char *comma = strchr(buffer, ',');
    if (comma)
        *comma = '.';
    return buffer;
}

size_t nh_letter_length(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    size_t length = first < 0x80                     ? 1
                    : first >= 0xC2 && first < 0xE0  ? 2
                    : (first & 0xF0) == 0xE0         ? 3
                    : first >= 0xF0 && first <= 0xF4 ? 4
                                                     : 0;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
    return first == '\0' ? 0 : length;
}

int nh_letters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

void nh_letters_add(nh_text *out, const char *text, char quote)
{
    while (*text) {
        size_t length = nh_letter_length(text);
        bool control = (unsigned char)*text < ' ' || *text == 0x7F;
        if (length == 0)
            nh_text_bytes(out, "?", 1);
        else if (control)
            nh_text_bytes(out, " ", 1);
        else
            nh_text_bytes(out, text, length);
        if (quote && *text == quote)
            nh_text_bytes(out, text, 1);
        text += length ? length : 1;
    }
}
