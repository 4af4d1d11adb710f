/* SPDX-License-Identifier: MIT */
/* A figure as a gnuplot script that has the data in it and writes the picture to standard output. */
#ifndef NH_IO_SCRIPT_H
#define NH_IO_SCRIPT_H

#include "base/text.h"
#include "io/figure.h"

typedef enum nh_picture { NH_PICTURE_SVG, NH_PICTURE_PNG, NH_PICTURE_PDF, NH_PICTURE_SCRIPT } nh_picture;

/* NH_PICTURE_SCRIPT is the script for SVG with a word to its reader. */
void nh_script_write(const nh_figure *figure, nh_picture picture, nh_text *out);

#endif
