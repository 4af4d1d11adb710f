/* SPDX-License-Identifier: MIT */
/* Tables of characters: letters, and what stands for an operator elsewhere. */
#include "language/letter.h"

#include <stddef.h>

bool nh_is_letter(uint32_t code)
{
    static const uint32_t range[][2] = {
        {'A', 'Z'},         {'a', 'z'},       {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2AF}, /* Latin */
        {0x370, 0x373},     {0x376, 0x377},   {0x37B, 0x37D},   {0x37F, 0x37F},   {0x386, 0x386},
        {0x388, 0x3FF},                                                           /* Greek */
        {0x400, 0x481},     {0x48A, 0x52F},                                       /* Cyrillic */
        {0x531, 0x556},     {0x561, 0x587},                                       /* Armenian */
        {0x5D0, 0x5EA},                                                           /* Hebrew */
        {0x620, 0x64A},                                                           /* Arabic */
        {0x904, 0x939},                                                           /* Devanagari */
        {0x10A0, 0x10FF},                                                         /* Georgian */
        {0x1E00, 0x1FBC},                                                         /* Latin and Greek with marks */
        {0x210E, 0x2113},   {0x2102, 0x2102}, {0x2115, 0x2115}, {0x2119, 0x211D}, /* letterlike: h, hbar, l, R, … */
        {0x3041, 0x3096},   {0x30A1, 0x30FA}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, /* East Asia */
        {0x1D400, 0x1D7CB}, /* mathematical alphabets */
    };
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (code >= range[i][0] && code <= range[i][1])
            return true;
    return false;
}

const char *nh_character_advice(uint32_t code)
{
    static const struct {
        uint32_t code;
        const char *advice;
    } row[] = {
        {0x2212, "write - for minus"},
        {0x2013, "write - for minus"},
        {0xB7, "write * for a product"},
        {0x22C5, "write * for a product"},
        {0xD7, "write * for a product"},
        {0x2217, "write * for a product"},
        {0xF7, "write / for a quotient"},
        {0x2215, "write / for a quotient"},
        {0xB2, "write ^2 for a square"},
        {0xB3, "write ^3 for a cube"},
        {0x2032, "write an apostrophe (') for a velocity"},
        {0x2019, "write an apostrophe (') for a velocity"},
        {0x2026, "write .. for a range"},
        {0xA0, "it is a no-break space; write a space"},
        {'<', "write less(a, b) for a comparison"},
        {'>', "write less(a, b) for a comparison"},
        {'{', "brackets are ( ) and [ ]"},
        {'}', "brackets are ( ) and [ ]"},
        {';', "write a comma between items, and each statement on a line of its own"},
        {'"', "names and texts stand without quotation marks"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (code == row[i].code)
            return row[i].advice;
    return NULL;
}
