/* SPDX-License-Identifier: MIT */
/* What the equations of a step depend on, for the pattern of their matrix (kernel/whole.h). */
#ifndef NH_METHOD_GEAR_LINKS_H
#define NH_METHOD_GEAR_LINKS_H

#include "base/arena.h"
#include "kernel/whole.h"
#include "model/model.h"

/* Memory is from the arena. NH_LIMIT: there are too many entries, more than `most` of one derivative or too many of
 * all.
 */
nh_status nh_gear_links(const nh_model *m, const nh_kernel *k, bool mp, size_t most, nh_arena *arena,
                        nh_whole_links *out, nh_error *error);

#endif
