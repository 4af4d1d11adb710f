/* SPDX-License-Identifier: MIT */
/* Tables from inside: the numbers that were read, of which users see doubles. */
#ifndef NH_IO_TABLE_H
#define NH_IO_TABLE_H

#include "base/quad.h"

#include <nonholo/table.h>

/* As nh_table_column, as many digits of the text as a quad holds. */
const nh_quad *nh_table_quads(const nh_table *table, int column);

#endif
