/* SPDX-License-Identifier: MIT */
/* The interpreter, as a text that is compiled once per number type. The file that includes it defines
 *   WORD     the type that one operation works on (nh_real of base/real.h)
 *   SCALAR   its element in memory;   WORDS   how many words make up one value
 *   PREPARE, RUN   the names of the functions;   LITERAL(p, i)   a literal as SCALAR
 *   CALL1, CALL2   elementary functions on words. */

static WORD *word_at(SCALAR *const *base, uint32_t place)
{
    return (WORD *)base[place >> NH_OPERAND_BITS] + (size_t)nh_operand_number(place) * WORDS;
}

static int64_t at_counters(const nh_affine *a, const int64_t *counter)
{
    int64_t value = a->constant;
    for (int i = 0; i < a->terms; i++)
        value += a->term[i].factor * counter[a->term[i].index];
    return value;
}

void PREPARE(const nh_program *p, SCALAR *work)
{
    WORD *place = (WORD *)work;
    for (uint32_t i = 0; i < p->literals; i++)
        for (int w = 0; w < WORDS; w++)
            place[i * WORDS + (uint32_t)w] = nh_set(LITERAL(p, i));
}

#define D word_at(base, line->value)
#define A word_at(base, line->a)
#define B word_at(base, line->b)
#define EACH(...)                                                                                                      \
    do {                                                                                                               \
        WORD *d = D;                                                                                                   \
        const WORD *a = A, *b = B;                                                                                     \
        (void)b;                                                                                                       \
        for (int w = 0; w < WORDS; w++)                                                                                \
            d[w] = __VA_ARGS__;                                                                                        \
    } while (0);                                                                                                       \
    break

/* Lines that move data between the tape's work space and arrays indexed by loops. */
static void move(const nh_program *p, const nh_line *line, SCALAR *const *base, const int64_t *counter)
{
    if (line->op == NH_T_LOAD) {
        const WORD *from = (const WORD *)base[line->a] + at_counters(&p->reference[line->b].component, counter) * WORDS;
        for (int w = 0; w < WORDS; w++)
            D[w] = from[w];
    } else if (line->op == NH_T_INDEX) {
        for (int w = 0; w < WORDS; w++)
            D[w] = nh_set((SCALAR)at_counters(&p->affine[line->b], counter));
    } else if (line->op == NH_T_FILL) {
        WORD *y = (WORD *)base[NH_BASE_OUTPUT] + (size_t)line->a * WORDS;
        for (size_t w = 0; w < (size_t)line->b * WORDS; w++)
            y[w] = nh_set(0);
    } else {
        WORD *y = (WORD *)base[NH_BASE_OUTPUT] + at_counters(&p->affine[line->b], counter) * WORDS;
        for (int w = 0; w < WORDS; w++)
            y[w] = line->op == NH_T_GAIN ? y[w] + A[w] : A[w];
    }
}

/* Lines of sums and products over an index. */
static void collect(const nh_line *line, SCALAR *const *base, const int64_t *counter)
{
    WORD *d = D;
    if (line->op == NH_T_START) {
        for (int w = 0; w < 4 * WORDS; w++)
            d[w] = nh_set(line->function ? (SCALAR)1 : (SCALAR)-0.0);
    } else if (line->op == NH_T_PART) {
        d += (counter[line->slot] & 3) * WORDS;
        for (int w = 0; w < WORDS; w++)
            d[w] = line->function ? d[w] * A[w] : d[w] + A[w];
    } else {
        const WORD *r = A;
        for (int w = 0; w < WORDS; w++)
            d[w] = line->function ? (r[w] * r[2 * WORDS + w]) * (r[WORDS + w] * r[3 * WORDS + w])
                                  : (r[w] + r[2 * WORDS + w]) + (r[WORDS + w] + r[3 * WORDS + w]);
    }
}

void RUN(const nh_program *p, int function, const SCALAR *c, const SCALAR *const *x, SCALAR *y, SCALAR *work)
{
    SCALAR *base[16];
    base[NH_BASE_WORK] = work;
    base[NH_BASE_CONSTANT] = (SCALAR *)c;
    base[NH_BASE_OUTPUT] = y;
    /* One by one, as the caller has just written them: a copy by pairs would wait for that. */
    const SCALAR *const volatile *each = x;
#pragma GCC unroll 16
    for (int s = 0; s < NH_SPACES; s++)
        base[NH_BASE_INPUT + s] = (SCALAR *)each[s];
    const nh_tape *t = &p->function[function];
    int64_t counter[NH_MAX_NEST]; /* set where a loop begins; to clear them all would cost as much as ten lines */
    const nh_line *code = t->code, *end = code + t->codes;
    for (const nh_line *line = code; line < end; line++) {
        switch ((nh_tape_op)line->op) {
        case NH_T_ADD:
            EACH(a[w] + b[w]);
        case NH_T_SUB:
            EACH(a[w] - b[w]);
        case NH_T_MUL:
            EACH(a[w] * b[w]);
        case NH_T_DIV:
            EACH(a[w] / b[w]);
        case NH_T_NEG:
            EACH(-a[w]);
        case NH_T_ADD_NEG:
            EACH(-(a[w] + b[w]));
        case NH_T_SUB_NEG:
            EACH(-(a[w] - b[w]));
        case NH_T_MUL_NEG:
            EACH(-(a[w] * b[w]));
        case NH_T_COPY:
            EACH(a[w]);
        case NH_T_SQRT:
            EACH(nh_sqrt(a[w]));
        case NH_T_ABS:
            EACH(nh_abs(a[w]));
        case NH_T_SIGN:
            EACH(nh_sign(a[w]));
        case NH_T_MIN:
            EACH(nh_min(a[w], b[w]));
        case NH_T_MAX:
            EACH(nh_max(a[w], b[w]));
        case NH_T_LESS:
            EACH(nh_less(a[w], b[w]));
        case NH_T_CALL1:
            EACH(CALL1(&p->math->row[line->function], a[w]));
        case NH_T_CALL2:
            EACH(CALL2(&p->math->row[line->function], a[w], b[w]));
        case NH_T_LOAD:
        case NH_T_INDEX:
        case NH_T_STORE:
        case NH_T_GAIN:
        case NH_T_FILL:
            move(p, line, base, counter);
            break;
        case NH_T_START:
        case NH_T_PART:
        case NH_T_TOTAL:
            collect(line, base, counter);
            break;
        case NH_T_LOOP:
            counter[line->slot] = 0;
            if (at_counters(&p->affine[line->a], counter) <= 0)
                line = code + line->b;
            break;
        case NH_T_END: {
            const nh_line *loop = code + line->b;
            if (++counter[line->slot] < at_counters(&p->affine[loop->a], counter))
                line = loop;
            break;
        }
        }
    }
}

#undef D
#undef A
#undef B
#undef EACH
