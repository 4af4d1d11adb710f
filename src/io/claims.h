/* SPDX-License-Identifier: MIT */
/* What a list of claims is inside. */
#ifndef NH_IO_CLAIMS_H
#define NH_IO_CLAIMS_H

#include "base/arena.h"

#include <nonholo/claims.h>

enum { NH_VERDICTS = NH_MEASURED + 1 };

typedef struct nh_claims_row {
    nh_claim claim; /* its texts are the list's, and never NULL */
    nh_verdict verdict;
} nh_claims_row;

struct nh_claims {
    nh_arena arena;
    const char *title;
    nh_claims_row *rows;
    size_t count, capacity;
    int verdicts[NH_VERDICTS];
    bool failed;
};

#endif
