/* SPDX-License-Identifier: MIT */
/* Tableaux: what each family and method claims is measured, for every number of stages; broken ones must be noticed.
 * `test_tableau figures` prints the measured residuals that docs/tableaux.md shows. */
#include "base/linear.h"
#include "golden.h"
#include "tableau/check.h"
#include "tableau/grid.h"
#include "test.h"

#include <stdlib.h>

enum { STAGES = 20, SQUARE = NH_STAGES_MAX * NH_STAGES_MAX };

static const nh_quad ulp = NH_QUAD_EPSILON;

static nh_tableau make(nh_arena *arena, nh_family_id id, int s)
{
    nh_error error = {0};
    nh_tableau tableau = {0};
    if (!CHECK_EQ_INT(nh_tableau_make(arena, id, s, &tableau, &error), NH_OK))
        puts(error.message);
    return tableau;
}

static nh_triple make_triple(nh_arena *arena, const char *name, int s)
{
    nh_error error = {0};
    nh_triple triple = {0};
    if (!CHECK_EQ_INT(nh_triple_make(arena, name, s, &triple, &error), NH_OK))
        puts(error.message);
    return triple;
}

static nh_quad larger(nh_quad a, nh_quad b)
{
    b = nh_quad_abs(b);
    return b > a ? b : a;
}

/* ---- Nodes and families ---- */

TEST(nodes)
{
    nh_nodes nodes;
    CHECK(!nh_nodes_make(NH_GAUSS_NODES, 0, &nodes) && !nh_nodes_make(NH_LOBATTO_NODES, 1, &nodes));
    CHECK(!nh_nodes_make(NH_RADAU_LEFT, NH_STAGES_MAX + 1, &nodes));
    for (int kind = NH_GAUSS_NODES; kind <= NH_LOBATTO_NODES; kind++)
        for (int s = 2; s <= NH_STAGES_MAX; s++) {
            bool ordered = nh_nodes_make((nh_quadrature)kind, s, &nodes), exact = true;
            for (int i = 0; i < s; i++) {
                ordered &= i == 0 || nodes.left[i] > nodes.left[i - 1];
                exact &= nodes.left[i] == nodes.right[s - 1 - i] && nodes.weight[i] == nodes.weight[s - 1 - i];
            }
            CHECK(ordered);
            CHECK(exact == (kind == NH_GAUSS_NODES || kind == NH_LOBATTO_NODES));
            CHECK((nodes.left[0] == 0) == (kind == NH_RADAU_LEFT || kind == NH_LOBATTO_NODES));
            CHECK((nodes.left[s - 1] == 1) == (kind == NH_RADAU_RIGHT || kind == NH_LOBATTO_NODES));
        }
}

/* Exactly what theory says and not more, by residuals of a few ulp on one side and 1e-5 on the other. */
static void check_family(nh_arena *arena, nh_family_id id, int s)
{
    const nh_family *family = nh_family_get(id);
    nh_tableau tableau = make(arena, id, s);
    nh_tableau_report report = nh_tableau_measure(&tableau, 0);
    nh_quad few = 2 * ulp + ulp * (nh_quad)s / 3;
    if (!CHECK(nh_family_agrees(family, s, &report)))
        printf("    %s, %d stages: B(%d) C(%d) D(%d)\n", family->name, s, report.B.holds, report.C.holds,
               report.D.holds);
    CHECK(report.B.residual <= few && report.C.residual <= few && report.D.residual <= few);
    CHECK(report.B.next > (nh_quad)1e-2 && report.C.next > (nh_quad)1e-4 && report.D.next > (nh_quad)1e-6);
    CHECK(report.trees.residual <= few);
    CHECK(report.sum == 0);
    CHECK((report.node_symmetry == 0) == (s == 1 ? id == NH_GAUSS : family->nodes % 3 == 0));
    CHECK(family->symmetric ? report.matrix_symmetry == 0 : report.matrix_symmetry > (nh_quad)1e-4);
    bool symplectic = family->conjugate == id;
    CHECK(symplectic ? report.symplectic <= ulp : report.symplectic > (nh_quad)1e-6);
}

TEST(families)
{
    nh_arena arena = {0};
    for (nh_family_id id = 0; id < NH_FAMILIES; id++) {
        const nh_family *family = nh_family_get(id);
        CHECK(nh_family_find(family->name) == family);
        for (int s = family->smallest; s <= STAGES; s++)
            check_family(&arena, id, s);
        for (int s = 28; s <= NH_STAGES_MAX; s += 9)
            check_family(&arena, id, s);
    }
    nh_tableau tableau;
    nh_error error;
    CHECK(!nh_family_find("Euler") && !nh_family_get(NH_FAMILIES));
    CHECK_EQ_INT(nh_tableau_make(&arena, NH_LOBATTO_IIIA, 1, &tableau, &error), NH_LIMIT);
    CHECK_STR(error.message, "Lobatto IIIA with 1 stages: there must be 2 to 64");
    CHECK_EQ_INT(nh_tableau_make(&arena, NH_GAUSS, 65, &tableau, &error), NH_LIMIT);
    CHECK_EQ_INT(nh_tableau_make(&arena, NH_FAMILIES, 2, &tableau, &error), NH_USAGE);
    nh_arena_free(&arena);
}

/* The same assumptions in powers of c, as books write them. */
static nh_quad residual_in_powers(const nh_tableau *t, int B, int C, int D)
{
    const int s = t->stages;
    nh_quad largest = 0, power[NH_STAGES_MAX];
    for (int i = 0; i < s; i++)
        power[i] = 1;
    for (int k = 1; k <= B; k++) {
        nh_quad sum = -1 / (nh_quad)k;
        for (int i = 0; i < s; i++) {
            nh_quad row = -power[i] * t->c[i] / (nh_quad)k;
            nh_quad column = -t->b[i] * (1 - power[i] * t->c[i]) / (nh_quad)k;
            for (int j = 0; j < s; j++) {
                row += t->A[i * s + j] * power[j];
                column += t->b[j] * power[j] * t->A[j * s + i];
            }
            sum += t->b[i] * power[i];
            largest = larger(largest, k <= C ? row : 0);
            largest = larger(largest, k <= D ? column : 0);
        }
        largest = larger(largest, sum);
        for (int i = 0; i < s; i++)
            power[i] *= t->c[i];
    }
    return largest;
}

TEST(powers)
{
    nh_arena arena = {0};
    for (nh_family_id id = 0; id < NH_FAMILIES; id++)
        for (int s = nh_family_get(id)->smallest; s <= STAGES; s++) {
            const nh_family *f = nh_family_get(id);
            nh_tableau t = make(&arena, id, s);
            CHECK(residual_in_powers(&t, 2 * s + f->B, s + f->C, s + f->D) <= ulp * (nh_quad)(s + 4) / 2);
        }
    nh_arena_free(&arena);
}

TEST(conjugates)
{
    nh_arena arena = {0};
    nh_error error;
    for (nh_family_id id = 0; id < NH_FAMILIES; id++)
        for (int s = 2; s <= STAGES && nh_family_get(id)->conjugate != NH_FAMILIES; s++) {
            nh_tableau t = make(&arena, id, s), other = make(&arena, nh_family_get(id)->conjugate, s), conjugate;
            CHECK_EQ_INT(nh_tableau_conjugate(&arena, &t, &conjugate, &error), NH_OK);
            nh_quad off = 0; /* the formula divides by a weight, which may be small */
            for (int k = 0; k < s * s; k++)
                off = larger(off, (conjugate.A[k] - other.A[k]) * t.b[k / s]);
            CHECK(off <= ulp);
            CHECK(nh_coupling_residual(&t, &other) <= ulp);
        }
    const nh_quad zero[6] = {0};
    nh_tableau t;
    CHECK_EQ_INT(nh_tableau_copy(&arena, 2, zero, zero, zero, &t, &error), NH_OK);
    CHECK_EQ_INT(nh_tableau_conjugate(&arena, &t, &t, &error), NH_VALUE);
    CHECK_STR(error.message, "weight 1 is zero: there is no conjugate tableau");
    nh_arena_free(&arena);
}

TEST(trees)
{
    static const int known[NH_TREE_ORDER_MAX] = {1, 1, 2, 4, 9, 20};
    static const nh_quad A[16] = {0, 0, 0, 0, (nh_quad)0.5, 0, 0, 0, 0, (nh_quad)0.5, 0, 0, 0, 0, 1, 0};
    const nh_quad b[4] = {(nh_quad)1 / 6, (nh_quad)1 / 3, (nh_quad)1 / 3, (nh_quad)1 / 6};
    const nh_quad c[4] = {0, (nh_quad)0.5, (nh_quad)0.5, 1};
    nh_tableau rk4 = {4, A, b, c};
    for (int order = 1; order <= NH_TREE_ORDER_MAX; order++) {
        int count = 0;
        nh_tree_residual(&rk4, order, &count);
        CHECK_EQ_INT(count, known[order - 1]);
    }
    nh_tableau_report report = nh_tableau_measure(&rk4, 0);
    CHECK_EQ_INT(report.trees.holds, 4);
    CHECK_NEAR((double)report.trees.next, 1.0 / 80, 1e-15); /* sum_i b_i (sum_j a_ij c_j)^2 = 1/16, not 1/20 */
}

/* ---- Golden values ---- */

static char *golden(const char *name)
{
    char *text = golden_text(name);
    CHECK(text != NULL);
    return text;
}

/* Compares the numbers after "key" with x [count], to a relative 1e-31; returns the place after them. */
static const char *compare_numbers(const char *at, const char *key, const nh_quad *x, int count)
{
    const nh_quad tolerance = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-31 : 64 * ulp;
    nh_quad want[STAGES * STAGES];
    at = count <= STAGES * STAGES ? golden_numbers(at, key, want, count) : NULL;
    if (!CHECK(at != NULL))
        return "";
    for (int i = 0; i < count; i++) {
        if (x[i] == 0 && nh_quad_abs(want[i]) < (nh_quad)1e-33) /* zeros that were computed */
            want[i] = 0;
        if (!CHECK(nh_quad_abs(x[i] - want[i]) <= tolerance * nh_quad_abs(want[i])))
            printf("    %s, number %d\n", key, i + 1);
    }
    return at;
}

TEST(golden_triples)
{
    static const struct {
        const char *golden, *method;
        int first, last;
    } row[] = {{"gauss", "gauss", 1, 4},      {"lobattoAB", "lobatto-ab", 2, 4}, {"lobattoABD", "lobatto-abd", 2, 4},
               {"radauIA", "radau-ia", 2, 3}, {"seuler", "euler-1", 1, 1},       {"seuler", "euler-2", 2, 2}};
    nh_arena arena = {0};
    char *text = golden("tableaux_lagrangian.json");
    for (size_t i = 0; text && i < sizeof row / sizeof row[0]; i++)
        for (int n = row[i].first; n <= row[i].last; n++) {
            char key[32];
            bool euler = !strcmp(row[i].golden, "seuler"); /* there the number is that of the method */
            nh_triple triple = make_triple(&arena, row[i].method, euler ? 1 : n);
            const int s = triple.position.stages;
            snprintf(key, sizeof key, "\"%s%d\": {", row[i].golden, n);
            const char *at = strstr(text, key);
            if (!CHECK(at != NULL))
                continue;
            compare_numbers(at, "c", triple.position.c, s);
            compare_numbers(at, "b", triple.position.b, s);
            compare_numbers(at, "A", triple.position.A, s * s);
            compare_numbers(at, "Ahat", triple.force.A, s * s);
            compare_numbers(at, "Atilde", triple.reaction.A, s * s);
        }
    free(text);
    nh_arena_free(&arena);
}

TEST(golden_families)
{
    static const char *const names[NH_FAMILIES] = {"Gauss",       "RadauIA",     "RadauIIA",     "LobattoIIIA",
                                                   "LobattoIIIB", "LobattoIIIC", "LobattoIIIC*", "LobattoIIID"};
    nh_arena arena = {0};
    char *text = golden("tableaux_dae.json");
    for (nh_family_id id = 0; text && id < NH_FAMILIES; id++)
        for (int s = nh_family_get(id)->smallest; s <= 4; s++) {
            char key[64];
            snprintf(key, sizeof key, "\"method\": \"%s\",\n  \"s\": %d,", names[id], s);
            const char *at = strstr(text, key);
            nh_tableau t = make(&arena, id, s);
            if (!CHECK(at != NULL))
                continue;
            at = compare_numbers(at, "A", t.A, s * s);
            at = compare_numbers(at, "b", t.b, s);
            compare_numbers(at, "c", t.c, s);
        }
    free(text);
    nh_arena_free(&arena);
}

/* ---- Triples ---- */

TEST(triples)
{
    nh_arena arena = {0};
    const nh_triple_method *method;
    for (int i = 0; (method = nh_triple_method_get(i)); i++)
        for (int s = method->smallest; s <= STAGES && s <= method->largest; s++) {
            nh_triple triple = make_triple(&arena, method->name, s);
            nh_triple_report report = nh_triple_measure(&triple, 0);
            if (!CHECK(nh_triple_method_agrees(method, &report)))
                printf("    %s, %d stages\n", method->name, s);
            CHECK(method->dalembert ? report.coupling <= ulp : report.coupling > (nh_quad)1e-6);
            CHECK_EQ_INT(report.position.B.holds, 2 * s + method->order);
            CHECK_EQ_INT(report.trees, 2 * s + method->order < 6 ? 2 * s + method->order : 6);
            CHECK(triple.force.b == triple.position.b && triple.reaction.c == triple.position.c);
        }
    nh_triple ad = make_triple(&arena, "lobatto-ad", 2);
    CHECK(nh_triple_measure(&ad, 0).coupling == (nh_quad)0.125);

    nh_error error;
    CHECK_EQ_INT(nh_triple_make(&arena, "lobato-ab", 2, &ad, &error), NH_NAME);
    CHECK_STR(error.message, "there is no SPARK method 'lobato-ab'; did you mean 'lobatto-ab'?");
    CHECK_EQ_INT(nh_triple_make(&arena, "euler-1", 2, &ad, &error), NH_LIMIT);
    CHECK_STR(error.message, "euler-1 with 2 stages: it has one stage");
    CHECK_EQ_INT(nh_triple_make(&arena, "lobatto-d", 1, &ad, &error), NH_LIMIT);
    CHECK_STR(error.message, "lobatto-d with 1 stages: there must be 2 to 64");
    nh_arena_free(&arena);
}

/* Ratio of the largest and the smallest singular value of m [rows × columns], rows <= columns. */
static nh_quad condition_of(const nh_quad *m, int rows, int columns)
{
    static nh_quad transposed[SQUARE], sigma[NH_STAGES_MAX];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            transposed[j * rows + i] = m[i * columns + j];
    nh_svd_quad(transposed, columns, rows, sigma, NULL);
    return sigma[0] / sigma[rows - 1];
}

/* The space of omega is that of Jay's b_j c_j^(i-1): both together have rank s-1. */
static void check_span(const nh_triple *triple, const nh_quad *omega)
{
    const int s = triple->position.stages, rows = 2 * (s - 1);
    nh_quad both[SQUARE], sigma[NH_STAGES_MAX];
    for (int j = 0; j < s; j++) {
        nh_quad entry = triple->position.b[j];
        for (int i = 0; i < s - 1; i++, entry *= triple->position.c[j]) {
            both[i * s + j] = omega[i * s + j];
            both[(s - 1 + i) * s + j] = entry;
        }
    }
    nh_svd_quad(both, rows, s, sigma, NULL);
    CHECK(sigma[s - 1] < 16 * ulp && sigma[s - 2] > (nh_quad)1e-6);
}

TEST(omega)
{
    static nh_quad omega[SQUARE];
    static const char *const names[] = {"gauss", "radau-ia", "lobatto-ab"};
    static const nh_quad bound[] = {3, 4, 6};
    nh_arena arena = {0};
    for (int n = 0; n < 3; n++)
        for (int s = 2; s <= STAGES; s++) {
            nh_triple triple = make_triple(&arena, names[n], s);
            nh_triple_omega(&triple, omega);
            CHECK(condition_of(omega, s - 1, s) <= bound[n]);
            if (s <= 5)
                check_span(&triple, omega);
            for (int i = 0; i < s - 1; i++) /* orthonormal rows in the norm that the weights give */
                for (int j = 0; j < s; j++)
                    omega[i * s + j] /= nh_quad_sqrt(triple.position.b[j]);
            CHECK(condition_of(omega, s - 1, s) - 1 <= 256 * ulp);
        }
    nh_triple one = make_triple(&arena, "gauss", 1);
    omega[0] = 7;
    nh_triple_omega(&one, omega);
    CHECK(omega[0] == 7); /* one stage has none */
    nh_arena_free(&arena);
}

/* ---- Broken tableaux ---- */

typedef enum { NOTHING, ENTRY, WEIGHT, NODE, ROWS, LAST_BREAK = ROWS } defect;

static nh_tableau broken(nh_arena *arena, const nh_tableau *t, defect what)
{
    const nh_quad change = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-20 : (nh_quad)1e-13;
    const int s = t->stages;
    nh_quad A[SQUARE], b[NH_STAGES_MAX], c[NH_STAGES_MAX];
    nh_tableau out = {0};
    nh_error error;
    memcpy(A, t->A, sizeof *A * (size_t)(s * s));
    memcpy(b, t->b, sizeof *b * (size_t)s);
    memcpy(c, t->c, sizeof *c * (size_t)s);
    A[s] += what == ENTRY ? change : 0;
    b[s / 2] += what == WEIGHT ? change : 0;
    c[s - 1] += what == NODE ? change : 0;
    for (int j = 0; what == ROWS && j < s; j++) {
        nh_quad x = A[j];
        A[j] = A[s + j];
        A[s + j] = x;
    }
    CHECK_EQ_INT(nh_tableau_copy(arena, s, A, b, c, &out, &error), NH_OK);
    return out;
}

TEST(broken_ones_are_noticed)
{
    nh_arena arena = {0};
    for (nh_family_id id = 0; id < NH_FAMILIES; id++)
        for (int s = 2; s <= STAGES; s++) {
            nh_tableau t = make(&arena, id, s);
            for (defect what = NOTHING; what <= LAST_BREAK; what++) {
                nh_tableau bad = broken(&arena, &t, what);
                nh_tableau_report report = nh_tableau_measure(&bad, 0);
                bool same = what == NOTHING || (what == ROWS && id == NH_LOBATTO_IIIB && s == 2); /* equal rows */
                if (!CHECK(nh_family_agrees(nh_family_get(id), s, &report) == same))
                    printf("    %s, %d stages, defect %d\n", nh_family_get(id)->name, s, (int)what);
            }
        }
    nh_triple triple = make_triple(&arena, "lobatto-ab", 3);
    triple.force = broken(&arena, &triple.force, ENTRY);
    nh_triple_report report = nh_triple_measure(&triple, 0);
    CHECK(!report.dalembert && !report.symmetric && report.symmetry > (nh_quad)1e-21);
    CHECK_EQ_INT(report.trees, 1);
    triple = make_triple(&arena, "gauss", 2);
    triple.force = make_triple(&arena, "lobatto-d", 2).force; /* of order 2 alone, and with others */
    CHECK_EQ_INT(nh_triple_measure(&triple, 0).trees, 2);
    triple = make_triple(&arena, "lobatto-ab", 3);
    triple.force = broken(&arena, &triple.force, ENTRY);
    CHECK(nh_triple_measure(&triple, (nh_quad)1e-10).dalembert); /* a user's tolerance */
    nh_arena_free(&arena);
}

/* ---- High and low parts ---- */

/* Sums in doubles, forwards and backwards: without an error they are the same. */
static bool adds_up_to(const double *x, int count, double want)
{
    double up = 0, down = 0;
    for (int i = 0; i < count; i++) {
        up += x[i];
        down += x[count - 1 - i];
    }
    return up == want && down == want;
}

static bool is_mirrored(int s, const double *A, const double *b, const double *c, double one)
{
    bool exact = true;
    for (int i = 0; i < s; i++)
        exact &= b[i] == b[s - 1 - i] && c[i] + c[s - 1 - i] == one;
    for (int k = 0; k < s * s; k++)
        exact &= A[k] + A[s * s - 1 - k] == b[k % s];
    return exact;
}

static void check_split(nh_arena *arena, nh_family_id id, int s)
{
    nh_tableau t = make(arena, id, s);
    nh_split p;
    nh_error error;
    nh_quad off = 0, high_off = 0;
    CHECK_EQ_INT(nh_tableau_exponent(&t), 0);
    CHECK_EQ_INT(nh_tableau_split(arena, &t, 0, &p, &error), NH_OK);
    CHECK(p.summed && p.mirrored == nh_family_get(id)->symmetric);
    CHECK(adds_up_to(p.b, s, 1) && adds_up_to(p.b_low, s, 0));
    if (p.mirrored)
        CHECK(is_mirrored(s, p.A, p.b, p.c, 1) && is_mirrored(s, p.A_low, p.b_low, p.c_low, 0));
    for (int k = 0; k < s * s; k++) {
        bool weight = t.A[k] == t.b[k % s];
        CHECK(!weight || (p.A[k] == p.b[k % s] && p.A_low[k] == p.b_low[k % s]));
        CHECK(t.A[k] != 0 || (p.A[k] == 0 && p.A_low[k] == 0));
        off = larger(off, t.A[k] - (nh_quad)p.A[k] - (nh_quad)p.A_low[k]);
        high_off = larger(high_off, t.A[k] - (nh_quad)p.A[k]);
    }
    for (int i = 0; i < s; i++) {
        off = larger(off, t.b[i] - (nh_quad)p.b[i] - (nh_quad)p.b_low[i]);
        off = larger(off, t.c[i] - (nh_quad)p.c[i] - (nh_quad)p.c_low[i]);
        high_off = larger(high_off, t.b[i] - (nh_quad)p.b[i]);
    }
    CHECK(off <= (nh_quad)0x1p-99 && high_off <= (nh_quad)0x1p-52);
}

TEST(high_and_low_parts)
{
    nh_arena arena = {0};
    nh_error error;
    for (nh_family_id id = 0; id < NH_FAMILIES; id++) {
        for (int s = nh_family_get(id)->smallest; s <= STAGES; s++)
            check_split(&arena, id, s);
        check_split(&arena, id, NH_STAGES_MAX - 1);
        check_split(&arena, id, NH_STAGES_MAX);
    }
    nh_triple triple = make_triple(&arena, "lobatto-abd", 5);
    nh_split parts[3];
    CHECK_EQ_INT(nh_triple_split(&arena, &triple, parts, &error), NH_OK);
    for (int i = 0; i < 5; i++)
        CHECK(parts[0].b[i] == parts[2].b[i] && parts[0].b_low[i] == parts[1].b_low[i]);

    const nh_quad A[1] = {-5}, b[1] = {(nh_quad)1 / 3}, c[1] = {(nh_quad)1e-3};
    nh_tableau large = {1, A, b, c};
    CHECK_EQ_INT(nh_tableau_exponent(&large), 3);
    CHECK_EQ_INT(nh_tableau_split(&arena, &large, 3, &parts[0], &error), NH_OK);
    CHECK(!parts[0].summed && !parts[0].mirrored && parts[0].A[0] == -5);
    CHECK(nh_quad_abs(b[0] - (nh_quad)parts[0].b[0] - (nh_quad)parts[0].b_low[0]) <= (nh_quad)0x1p-98);
    nh_arena_free(&arena);
}

/* ---- Figures ---- */

static void print_family(nh_arena *arena, nh_family_id id)
{
    const nh_family *family = nh_family_get(id);
    nh_quad B = 0, C = 0, D = 0, tree = 0, rows = 0, symmetry = 0, next = 1;
    for (int s = 2; s <= STAGES; s++) {
        nh_tableau t = make(arena, id, s);
        nh_tableau_report r = nh_tableau_measure(&t, 0);
        B = larger(B, r.B.residual);
        C = larger(C, r.C.residual);
        D = larger(D, r.D.residual);
        tree = larger(tree, r.trees.residual);
        rows = larger(rows, s + family->C > 0 ? r.rows : 0);
        symmetry = larger(symmetry, r.matrix_symmetry);
        next = r.B.next < next ? r.B.next : next;
        next = r.C.next < next ? r.C.next : next;
        next = r.D.next < next ? r.D.next : next;
    }
    printf("| %-13s | %.1e | %.1e | %.1e | %.1e | %.1e | %-7.1g | %.0e |\n", family->name, (double)B, (double)C,
           (double)D, (double)tree, (double)rows, (double)symmetry, (double)next);
}

static void print_method(nh_arena *arena, const nh_triple_method *method)
{
    nh_quad smallest = 1, largest = 0, symmetry = 0;
    const int first = method->largest == 1 ? 1 : 2;
    for (int s = first; s <= STAGES && s <= method->largest; s++) {
        nh_triple triple = make_triple(arena, method->name, s);
        nh_triple_report r = nh_triple_measure(&triple, 0);
        smallest = r.coupling < smallest ? r.coupling : smallest;
        largest = larger(largest, r.coupling);
        symmetry = larger(symmetry, r.position.node_symmetry);
        symmetry = larger(symmetry, r.position.matrix_symmetry);
        symmetry = larger(symmetry, r.force.matrix_symmetry);
        symmetry = larger(symmetry, r.reaction.matrix_symmetry);
    }
    printf("| `%s` | %.1e … %.1e | %.2g |\n", method->name, (double)smallest, (double)largest, (double)symmetry);
}

static void print_omega(nh_arena *arena, const char *name)
{
    static nh_quad omega[SQUARE];
    printf("| `%s` |", name);
    for (int s = 5; s <= STAGES; s += 5) {
        nh_triple triple = make_triple(arena, name, s);
        nh_triple_omega(&triple, omega);
        printf(" %.2f |", (double)condition_of(omega, s - 1, s));
    }
    puts("");
}

static int print_figures(void)
{
    const nh_triple_method *method;
    nh_arena arena = {0};
    puts("| family | B | C | D | trees | row sums | symmetry | smallest that fails |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (nh_family_id id = 0; id < NH_FAMILIES; id++)
        print_family(&arena, id);
    puts("\n| method | (6.2b) | (6.3) |\n| --- | --- | --- |");
    for (int i = 0; (method = nh_triple_method_get(i)); i++)
        print_method(&arena, method);
    puts("\n| condition of ω | s = 5 | 10 | 15 | 20 |\n| --- | --- | --- | --- | --- |");
    print_omega(&arena, "gauss");
    print_omega(&arena, "radau-ia");
    print_omega(&arena, "lobatto-ab");
    nh_arena_free(&arena);
    return test_state.failed > 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "figures"))
        return print_figures();
    RUN(nodes);
    RUN(families);
    RUN(powers);
    RUN(conjugates);
    RUN(trees);
    RUN(golden_triples);
    RUN(golden_families);
    RUN(triples);
    RUN(omega);
    RUN(broken_ones_are_noticed);
    RUN(high_and_low_parts);
    return test_end();
}
