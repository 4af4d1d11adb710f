/* SPDX-License-Identifier: MIT */
/* The source of a native integrator: kernel texts around the generated functions of a model. */
#ifndef NH_METHOD_SOURCE_H
#define NH_METHOD_SOURCE_H

#include "expr/program.h"
#include "kernel/kernel.h"
#include "method/method.h"

/* Trajectories of a batch: `width` side by side in lanes, `groups` of these in turn, [group][place][lane]. */
typedef struct nh_shape {
    int width, groups;
} nh_shape;

/* block: stages side by side, 1, 4 or 8; 1 if there are several trajectories. Its one entry is
 * void nh_advance(const double *table, double *batch, double *work), with nh_source_work numbers of work space. */
void nh_source_write(const nh_kernel *kernel, nh_kernel_family family, const nh_program *program, nh_shape shape,
                     int block, nh_text *out);
/* 0: all arrays are local. */
size_t nh_source_work(const nh_kernel *kernel, nh_kernel_family family, nh_shape shape, int block);
/* The derived functions alone, nh_f1 …, for kernels of the library: at `lanes` points; if block > 1, nh_stage_f1 … at
 * so many stages, too. */
void nh_source_functions(const nh_program *program, int lanes, int block, nh_text *out);
/* The texts of a method's kernel in their order, up to a NULL; advance.h comes after them, or what calls them else. */
const char *const *nh_source_texts(nh_kernel_family family);
/* Marks of coordinates and of entries (kernel/traits.h), as arrays. */
void nh_source_marks(const nh_kernel *kernel, nh_text *out);
/* NH_FEW, NH_BOUND and nh_order, which every text of the kernels asks for. */
void nh_source_order(const nh_kernel *kernel, nh_text *out);

#endif
