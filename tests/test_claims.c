/* SPDX-License-Identifier: MIT */
/* Verdicts on claims, and tables of them. */
#include "test.h"

#include <nonholo/nonholo.h>

static nh_verdict relative(double published, double ours, double tolerance)
{
    return nh_claim_verdict(
        &(nh_claim){.comparison = NH_COMPARE_RELATIVE, .published = published, .ours = ours, .tolerance = tolerance});
}

static nh_verdict range(double low, double high, double ours)
{
    return nh_claim_verdict(&(nh_claim){.comparison = NH_COMPARE_RANGE, .low = low, .high = high, .ours = ours});
}

static nh_verdict magnitude(double published, double ours, double tolerance)
{
    return nh_claim_verdict(
        &(nh_claim){.comparison = NH_COMPARE_MAGNITUDE, .published = published, .ours = ours, .tolerance = tolerance});
}

static nh_verdict other(nh_comparison comparison, double ours)
{
    return nh_claim_verdict(&(nh_claim){.comparison = comparison, .ours = ours});
}

TEST(relative)
{
    CHECK_EQ_INT(relative(2, 2.09, 0.05), NH_AGREES);
    CHECK_EQ_INT(relative(-2, -2.09, 0.05), NH_AGREES);
    CHECK_EQ_INT(relative(2, 2.2, 0.05), NH_DIFFERS);
    CHECK_EQ_INT(relative(2, 1.8, 0.05), NH_DIFFERS);
    CHECK_EQ_INT(relative(2, -2, 0.05), NH_DIFFERS);
    CHECK_EQ_INT(relative(0, 0, 0.05), NH_AGREES);
    CHECK_EQ_INT(relative(0, 1e-300, 0.05), NH_DIFFERS);
    CHECK_EQ_INT(relative(2, 2, 0), NH_AGREES);
}

TEST(range)
{
    CHECK_EQ_INT(range(1, 2, 1), NH_AGREES);
    CHECK_EQ_INT(range(1, 2, 2), NH_AGREES);
    CHECK_EQ_INT(range(1, 2, 0.99), NH_DIFFERS);
    CHECK_EQ_INT(range(1, 2, 2.01), NH_DIFFERS);
    CHECK_EQ_INT(range(-INFINITY, 2, -1e300), NH_AGREES);
    CHECK_EQ_INT(range(-INFINITY, 2, 3), NH_DIFFERS);
    CHECK_EQ_INT(range(1, INFINITY, 3), NH_AGREES);
}

TEST(magnitude)
{
    CHECK_EQ_INT(magnitude(1e-4, 3e-4, 0.5), NH_AGREES);
    CHECK_EQ_INT(magnitude(1e-4, 3.3e-5, 0.5), NH_AGREES);
    CHECK_EQ_INT(magnitude(1e-4, 4e-4, 0.5), NH_DIFFERS);
    CHECK_EQ_INT(magnitude(-1e-4, -1e-4, 0.5), NH_AGREES);
    CHECK_EQ_INT(magnitude(1e-4, -1e-4, 0.5), NH_DIFFERS);
    CHECK_EQ_INT(magnitude(1e-4, 0, 0.5), NH_DIFFERS);
    CHECK_EQ_INT(magnitude(0, 0, 0.5), NH_DIFFERS);
    CHECK_EQ_INT(magnitude(1e-300, 1e300, 599), NH_DIFFERS);
}

TEST(truth_and_nothing)
{
    CHECK_EQ_INT(other(NH_COMPARE_TRUTH, 1), NH_AGREES);
    CHECK_EQ_INT(other(NH_COMPARE_TRUTH, 0), NH_DIFFERS);
    CHECK_EQ_INT(other(NH_COMPARE_NOTHING, 3), NH_MEASURED);
    CHECK_EQ_INT(other((nh_comparison)77, 3), NH_DIFFERS);
}

/* What cannot fail, or is not a number, is no agreement. */
TEST(nonsense_differs)
{
    CHECK_EQ_INT(relative(2, NAN, 0.1), NH_DIFFERS);
    CHECK_EQ_INT(relative(2, INFINITY, 0.1), NH_DIFFERS);
    CHECK_EQ_INT(relative(NAN, 2, 0.1), NH_DIFFERS);
    CHECK_EQ_INT(relative(INFINITY, INFINITY, 0.1), NH_DIFFERS);
    CHECK_EQ_INT(relative(2, 2, INFINITY), NH_DIFFERS);
    CHECK_EQ_INT(relative(2, 2, -0.1), NH_DIFFERS);
    CHECK_EQ_INT(relative(2, 2, NAN), NH_DIFFERS);
    CHECK_EQ_INT(range(-INFINITY, INFINITY, 1), NH_DIFFERS);
    CHECK_EQ_INT(range(NAN, 2, 1), NH_DIFFERS);
    CHECK_EQ_INT(range(2, 1, 1.5), NH_DIFFERS);
    CHECK_EQ_INT(range(1, 2, NAN), NH_DIFFERS);
    CHECK_EQ_INT(magnitude(1, NAN, 1), NH_DIFFERS);
    CHECK_EQ_INT(magnitude(1, INFINITY, INFINITY), NH_DIFFERS);
    CHECK_EQ_INT(other(NH_COMPARE_TRUTH, NAN), NH_DIFFERS);
    CHECK_EQ_INT(other(NH_COMPARE_NOTHING, NAN), NH_DIFFERS);
}

static nh_claims *sample(void)
{
    nh_claims *claims = nh_claims_new("A paper");
    nh_claims_add(claims, &(nh_claim){.figure = "8.1",
                                      .what = "max |E\u2212E0|, gauss(s=1)",
                                      .claim = "about 1.5e-3",
                                      .comparison = NH_COMPARE_RELATIVE,
                                      .published = 1.5e-3,
                                      .ours = 1.51e-3,
                                      .tolerance = 0.05});
    nh_claims_add(claims, &(nh_claim){.figure = "8.2",
                                      .what = "drift",
                                      .comparison = NH_COMPARE_RANGE,
                                      .low = -INFINITY,
                                      .high = 1e-10,
                                      .ours = 2});
    nh_claims_add(claims, &(nh_claim){.figure = "8.10", .what = "a_1 | b", .ours = 3});
    nh_claims_add(claims, &(nh_claim){.what = "closed?", .comparison = NH_COMPARE_TRUTH, .ours = 1});
    return claims;
}

static void expect(nh_claims_format format, const char *want)
{
    nh_claims *claims = sample();
    char *text = NULL;
    CHECK_EQ_INT(nh_claims_print(claims, format, &text, NULL), NH_OK);
    CHECK_STR(text, want);
    nh_text_release(text);
    nh_claims_free(claims);
}

TEST(counts)
{
    nh_claims *claims = sample();
    CHECK_EQ_INT(nh_claims_count(claims, NH_AGREES), 2);
    CHECK_EQ_INT(nh_claims_count(claims, NH_DIFFERS), 1);
    CHECK_EQ_INT(nh_claims_count(claims, NH_MEASURED), 1);
    CHECK_EQ_INT(nh_claims_count(claims, (nh_verdict)9), 0);
    nh_claims_free(claims);
    char *text = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_claims_print(NULL, NH_CLAIMS_TEXT, &text, &error), NH_MEMORY);
    CHECK_EQ_INT(nh_claims_add(NULL, &(nh_claim){.ours = 1}), NH_MEASURED);
    nh_claims_free(NULL);
}

TEST(print_text)
{
    expect(NH_CLAIMS_TEXT, "A paper\n"
                           "\n"
                           "figure  what                    expected      here     verdict\n"
                           "8.1     max |E\u2212E0|, gauss(s=1)  0.0015 \u00b1 5 %  0.00151  agrees\n"
                           "          about 1.5e-3\n"
                           "8.2     drift                   \u2264 1e-10       2        differs\n"
                           "8.10    a_1 | b                               3        not in the paper: measured\n"
                           "        closed?                 yes           yes      agrees\n"
                           "\n"
                           "2 agree, 1 differ, 1 measured\n");
}

TEST(print_markdown)
{
    expect(NH_CLAIMS_MARKDOWN,
           "## A paper\n"
           "\n"
           "| figure | what | the paper | expected | here | verdict |\n"
           "|---|---|---|---|---|---|\n"
           "| 8.1 | max \\|E\u2212E0\\|, gauss(s=1) | about 1.5e-3 | 0.0015 \u00b1 5 % | 0.00151 | agrees |\n"
           "| 8.2 | drift |  | \u2264 1e-10 | 2 | differs |\n"
           "| 8.10 | a\\_1 \\| b |  |  | 3 | not in the paper: measured |\n"
           "|  | closed? |  | yes | yes | agrees |\n"
           "\n"
           "2 agree, 1 differ, 1 measured\n");
}

TEST(print_json)
{
    nh_claims *claims = sample();
    char *text = NULL;
    CHECK_EQ_INT(nh_claims_print(claims, NH_CLAIMS_JSON, &text, NULL), NH_OK);
    CHECK(strstr(text, "\"published\": 0.0015,\n      \"tolerance\": 0.05,\n      \"ours\": 0.00151,\n"
                       "      \"verdict\": \"agrees\"") != NULL);
    CHECK(strstr(text, "\"low\": null,\n      \"high\": 1e-10,\n      \"ours\": 2,\n      \"verdict\": \"differs\"") !=
          NULL);
    CHECK(strstr(text, "\"comparison\": \"none\",\n      \"ours\": 3,\n      \"verdict\": \"measured\"") != NULL);
    CHECK(strstr(text, "\"ours\": true") != NULL);
    CHECK(strstr(text, "\"agree\": 2,\n  \"differ\": 1,\n  \"measured\": 1\n}") != NULL);
    nh_text_release(text);
    nh_claims_free(claims);
}

TEST_MAIN(RUN(relative), RUN(range), RUN(magnitude), RUN(truth_and_nothing), RUN(nonsense_differs), RUN(counts),
          RUN(print_text), RUN(print_markdown), RUN(print_json))
