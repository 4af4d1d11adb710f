/* SPDX-License-Identifier: MIT */
#include "base/resource.h"

#include <string.h>

const char *nh_resource_text(const char *name)
{
    int count;
    const nh_resource *texts = nh_resource_texts(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(texts[i].name, name))
            return texts[i].text;
    return "";
}
