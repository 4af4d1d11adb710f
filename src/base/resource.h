/* SPDX-License-Identifier: MIT */
/* Texts that the library carries inside; the build writes the implementation (cmake/Embed.cmake). */
#ifndef NH_BASE_RESOURCE_H
#define NH_BASE_RESOURCE_H

typedef struct nh_resource {
    const char *name; /* file name without directory; a model's without .nh */
    const char *text; /* NUL-terminated UTF-8 */
} nh_resource;

/* The catalogue, sorted by name; `count` rows and one more with NULLs. */
const nh_resource *nh_resource_models(int *count);
/* Sources that generated native code contains, in the same form. */
const nh_resource *nh_resource_texts(int *count);
/* The text of that name among them; "" if there is none. */
const char *nh_resource_text(const char *name);

#endif
