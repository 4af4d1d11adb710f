/* SPDX-License-Identifier: MIT */
/* The names of a model's variables, for printing. */
#include "model/model.h"

#include <string.h>

/* The block of a component; blocks are sorted by space and component. */
static const nh_block *block_of(const nh_model *m, nh_space space, int component)
{
    int low = 0, high = m->blocks; /* the first block behind the component is between them */
    while (low < high) {
        int middle = low + (high - low) / 2;
        const nh_block *b = &m->block[middle];
        bool behind = b->space > space || (b->space == space && b->first > component);
        low = behind ? low : middle + 1;
        high = behind ? middle : high;
    }
    const nh_block *b = low > 0 ? &m->block[low - 1] : NULL;
    return b && b->space == space && component - b->first < b->count ? b : NULL;
}

static nh_block_name spell_block(const nh_spelling *s, nh_space space, int component)
{
    const nh_model *m = s->context;
    const nh_block *b = block_of(m, space, component);
    if (!b && space == NH_LAMBDA && m->kind == NH_LAGRANGIAN)
        return (nh_block_name){.name = "lambda", .indexed = true, .shift = 1};
    if (!b)
        return (nh_block_name){.name = NULL};
    return (nh_block_name){.name = b->name, .indexed = b->indexed, .shift = b->lower - b->first};
}

static bool is_taken(const nh_spelling *s, const char *name)
{
    static const char *const reserved[] = {"t", "pi", "lambda", "for", "sum", "prod"};
    const nh_model *m = s->context;
    bool taken = nh_function_find(name) != NH_FUNCTIONS;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        taken = taken || !strcmp(name, reserved[i]);
    for (int i = 0; i < m->blocks && !taken; i++)
        taken = !strcmp(name, m->block[i].name);
    for (int i = 0; i < m->sizes && !taken; i++)
        taken = !strcmp(name, m->size[i].name);
    return taken;
}

nh_spelling nh_model_spelling(const nh_model *m, bool latex)
{
    return (nh_spelling){.context = m, .block = spell_block, .taken = is_taken, .latex = latex};
}

void nh_model_component_name(const nh_model *m, nh_space space, int component, bool latex, nh_text *out)
{
    nh_spelling spelling = nh_model_spelling(m, latex);
    nh_print_variable(space, nh_affine_constant(component), &spelling, out);
}
