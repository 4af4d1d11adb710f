/* SPDX-License-Identifier: MIT */
/** What a paper says, what comes out here, and whether the two agree. */
#ifndef NONHOLO_CLAIMS_H
#define NONHOLO_CLAIMS_H

#include <nonholo/text.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nh_comparison {
    NH_COMPARE_NOTHING,   /**< the paper has no number: `ours` is only reported */
    NH_COMPARE_RELATIVE,  /**< |ours - published| <= tolerance |published| */
    NH_COMPARE_RANGE,     /**< low <= ours <= high; one of them may be infinite */
    NH_COMPARE_MAGNITUDE, /**< of one sign, and |log10(ours / published)| <= tolerance, like 0.5 */
    NH_COMPARE_TRUTH      /**< a statement, which holds if ours is not 0 */
} nh_comparison;

typedef enum nh_verdict {
    NH_AGREES,
    NH_DIFFERS, /**< also if `ours` is NaN, and if the comparison could not fail or not succeed: see nh_claims_add */
    NH_MEASURED /**< nothing to compare with */
} nh_verdict;

/** One row. Fields that the comparison does not use are not looked at. Texts are copied; NULL is "". */
typedef struct nh_claim {
    const char *figure; /**< of the paper, like "8.1" */
    const char *what;   /**< what is measured, like "max |E - E(0)|, gauss(s=1)" */
    const char *claim;  /**< what the paper says about it, in words */
    nh_comparison comparison;
    double published, ours;
    double tolerance;
    double low, high;
} nh_claim;

typedef struct nh_claims nh_claims;

/** An empty list. NULL if there is no memory, which the other functions take for a list that failed. */
NH_API nh_claims *nh_claims_new(const char *title);
NH_API void nh_claims_free(nh_claims *claims);

/** Adds a row and returns its verdict, which is computed from its numbers. A comparison that says nothing differs:
 * a tolerance that is negative, infinite or NaN, a published value that is not finite, a range without ends or with its
 * ends the wrong way round. Lack of memory is kept, and reported by nh_claims_print. */
NH_API nh_verdict nh_claims_add(nh_claims *claims, const nh_claim *claim);
/** The verdict on a row that is in no list. */
NH_API nh_verdict nh_claim_verdict(const nh_claim *claim);

/** The number of rows with this verdict. */
NH_API int nh_claims_count(const nh_claims *claims, nh_verdict verdict);

typedef enum nh_claims_format { NH_CLAIMS_TEXT, NH_CLAIMS_JSON, NH_CLAIMS_MARKDOWN } nh_claims_format;

/** The list as a table. The caller frees *out with nh_text_release. */
NH_API nh_status nh_claims_print(const nh_claims *claims, nh_claims_format format, char **out, nh_error *error);

#ifdef __cplusplus
}
#endif
#endif
