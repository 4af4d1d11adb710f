/* SPDX-License-Identifier: MIT */
/* Texts for users: the word that was meant, numbers. */
#include "base/quad.h"
#include "base/text.h"

#include <nonholo/text.h>
#include <stdlib.h>

static size_t characters(const char *name)
{
    size_t count = 0;
    for (; *name; name++)
        count += ((unsigned char)*name & 0xC0) != 0x80;
    return count;
}

/* How many wrong characters are a mistype; more make another word. */
static size_t tolerance(size_t length)
{
    return length < 5 ? 1 : length < 8 ? 2 : 3;
}

void nh_nearer(const char *name, const char *candidate, const char **best, size_t *distance)
{
    size_t length = characters(name), other = characters(candidate);
    size_t limit = *best ? *distance - 1 : tolerance(length);
    size_t found = nh_text_distance(name, candidate, limit);
    if (found <= limit && found < length && found < other) {
        *best = candidate;
        *distance = found;
    }
}

void nh_text_release(char *text)
{
    free(text);
}

const char *nh_nearest(const char *word, const char *const *list, int count)
{
    const char *best = NULL;
    size_t distance = 0;
    for (int i = 0; i < count && (!best || distance > 1); i++)
        nh_nearer(word, list[i], &best, &distance);
    return best;
}

int nh_double_print(double number, char *buffer, unsigned long size)
{
    return nh_double_format(buffer, size, number);
}
