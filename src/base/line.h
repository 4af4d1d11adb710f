/* SPDX-License-Identifier: MIT */
/* Lines of the cache: a vector that begins with one is inside of it, and one that crosses two takes twice as long. */
#ifndef NH_BASE_LINE_H
#define NH_BASE_LINE_H

#include <stdint.h>

enum { NH_LINE = 64 }; /* bytes */

/* The first line in memory that is NH_LINE bytes longer than what is wanted of it. */
static inline void *nh_line_in(void *memory)
{
    return (char *)memory + (NH_LINE - (uintptr_t)memory % NH_LINE) % NH_LINE;
}

#endif
