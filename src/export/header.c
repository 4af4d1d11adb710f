/* SPDX-License-Identifier: MIT */
/* What people read first: the comment at the top, and the header. */
#include "export/export.h"

#include <ctype.h>
#include <nonholo/version.h>
#include <string.h>

enum { WIDTH = 118 };

/* Signs that mean something where they stand together: an end or a beginning of a comment, a trigraph. */
static bool has_meaning(const char *text)
{
    return !strncmp(text, "*/", 2) || !strncmp(text, "/*", 2) || !strncmp(text, "??", 2);
}

/* A paragraph of a comment, in lines; nothing in it ends the comment, or looks to compilers as if it might. */
static void add_paragraph(const char *label, const char *text, nh_text *out)
{
    size_t column = 0;
    nh_text_add(out, " * %-9s", label);
    for (; *text; text += strspn(text, " \n")) {
        const size_t length = strcspn(text, " \n");
        if (column > 0 && 12 + column + 1 + length > WIDTH) {
            nh_text_add(out, "\n *%*s", 10, "");
            column = 0;
        }
        nh_text_add(out, "%s", column ? " " : "");
        for (size_t i = 0; i < length; i++)
            nh_text_add(out, has_meaning(text + i) ? "%c " : "%c", text[i]);
        column += length + 1;
        text += length;
    }
    nh_text_add(out, "\n");
}

void nh_export_title(const nh_exporter *e, const char *file, nh_text *out)
{
    nh_text line = {0};
    nh_text_add(out, "/* %s%s: exported by nonholo %s.\n *\n", e->name, file, NH_VERSION_STRING);
    add_paragraph("model", *e->model->name ? e->model->name : e->name, out);
    if (*e->model->cite)
        add_paragraph("", e->model->cite, out);
    nh_text_add(&line, "%s: %s", e->choice->spelling, e->choice->method->about);
    add_paragraph("method", nh_text_get(&line), out);
    add_paragraph("", e->choice->method->citation, out);
    line.length = 0;
    nh_text_add(&line, "%s; h = ", e->number);
    nh_export_number_text(e, e->sim->start.h, &line);
    nh_text_add(&line, "; a state has %d of them, and a step arrays of %d on the stack",
                nh_export_memory(e) + 2 + 2 * e->kernel->n + e->kernel->m + e->kernel->l + e->model->parameters,
                nh_trim_frame(e->trim));
    add_paragraph("numbers", nh_text_get(&line), out);
    nh_text_free(&line);
}

static void add_compiling(const nh_exporter *e, nh_text *out)
{
    nh_text_add(
        out, " *\n * C99 and math.h; it allocates nothing, prints nothing, and keeps nothing outside of the state.\n");
    if (e->in_float)
        nh_text_add(out, " * A float counts to 16777216 steps; restart before, or time stands still.\n");
    if (e->exact && !e->in_float)
        nh_text_add(
            out,
            " * The model takes + - * / sqrt alone, and sin and cos of angles up to 524288: results are the "
            "library's to the last bit\n"
            " * wherever numbers are IEEE 754 doubles, if products and sums stay apart (gcc: -ffp-contract=off, or "
            "-std=c99) and never\n"
            " * with -ffast-math.\n");
    else
        nh_text_add(out, " * Compile without contraction (gcc: -ffp-contract=off, or -std=c99) and never with "
                         "-ffast-math.\n");
    nh_text_add(out,
                " *\n"
                " *     cc -std=c99 -O2 -ffp-contract=off -c %s.c\n"
                " *     cc -std=c99 -O2 -ffp-contract=off -DNONHOLO_SELF_TEST %s.c -lm && ./a.out\n"
                " */\n",
                e->name, e->name);
}

static bool is_identifier(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return true;
}

/* Enumerators that name the components of a space; of an indexed block its first one. */
static void add_names(const nh_exporter *e, nh_space space, const char *what, int count, nh_text *out)
{
    nh_text_add(out, "enum {\n");
    for (int i = 0; i < e->model->blocks; i++) {
        const nh_block *b = &e->model->block[i];
        if (b->space == space && is_identifier(b->name))
            nh_text_add(out, b->indexed ? "    %s_%s_%s = %d, /* [%d] to [%d] */\n" : "    %s_%s_%s = %d,\n", e->name,
                        what, b->name, b->first, b->lower, b->lower + b->count - 1);
    }
    nh_text_add(out, "    %s_%ss = %d\n};\n\n", e->name, what, count);
}

static void add_state(const nh_exporter *e, nh_text *out)
{
    const nh_kernel *k = e->kernel;
    const char *name = e->name, *number = e->number;
    nh_text_add(out,
                "/** Where the system is. To change t, q, v, h or a parameter, write it and call %s_restart. */\n"
                "typedef struct %s_state {\n"
                "    %s t;      /**< time */\n"
                "    %s h;      /**< step */\n"
                "    %s q[%d];   /**< coordinates */\n"
                "    %s v[%d];   /**< their velocities */\n",
                name, name, number, number, number, k->n, number, k->n);
    if (k->m + k->l > 0)
        nh_text_add(out, "    %s lambda[%d]; /**< multipliers of the last stage: velocity constraints%s */\n", number,
                    k->m + k->l, k->l > 0 ? ", then holonomic ones" : "");
    if (e->model->parameters > 0)
        nh_text_add(out, "    %s parameter[%d];\n", number, e->model->parameters);
    nh_text_add(out,
                "    %s memory[%d]; /**< of the method: momenta, low parts of sums, stages of the last step */\n"
                "} %s_state;\n\n"
                "typedef enum %s_status {\n"
                "    %s_good,\n"
                "    %s_not_converged /**< the equations of the step could not be solved; the state is as before */\n"
                "} %s_status;\n\n",
                number, nh_export_memory(e), name, name, name, name, name);
}

static void add_functions(const nh_exporter *e, nh_text *out)
{
    const nh_kernel *k = e->kernel;
    const char *name = e->name, *number = e->number;
    nh_text_add(
        out,
        "/** The initial data, parameters and step that were exported. */\n"
        "void %s_init(%s_state *state);\n\n"
        "/** Starts anew from t, q, v, h and the parameters in the state; v has to satisfy the constraints at q. "
        "*/\n"
        "void %s_restart(%s_state *state);\n\n"
        "/** One step: from t to t + h. */\n"
        "%s_status %s_step(%s_state *state);\n\n"
        "/** The energy v L_v - L. */\n"
        "%s %s_energy(const %s_state *state);\n",
        name, name, name, name, name, name, name, number, name, name);
    if (k->m + k->l > 0)
        nh_text_add(out,
                    "\n/** Residuals of the constraints into residual[%d]: %s%s%s. */\n"
                    "void %s_constraint(const %s_state *state, %s *residual);\n",
                    k->m + 2 * k->l, k->m > 0 ? "k(t,q,v)" : "", k->m > 0 && k->l > 0 ? ", " : "",
                    k->l > 0 ? "g(t,q), g_q v + g_t" : "", name, name, number);
}

void nh_export_header(const nh_exporter *e, nh_text *out)
{
    nh_export_title(e, ".h", out);
    add_compiling(e, out);
    nh_text_add(out, "#ifndef %s_H\n#define %s_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", e->name,
                e->name); /* as it is: names may differ in large and small letters alone */
    nh_text_add(out, "/* Places of coordinates and velocities in q and v%s. */\n",
                e->model->parameters > 0 ? ", of parameters in parameter" : "");
    add_names(e, NH_Q, "coordinate", e->model->n, out);
    if (e->model->parameters > 0)
        add_names(e, NH_PARAMETER, "parameter", e->model->parameters, out);
    add_state(e, out);
    add_functions(e, out);
    nh_text_add(out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
