/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a checkpoint, as they are and with the hash that they should have; all that one that is
 * accepted points to is read. */
#include "fuzz.h"

#include "sim/checkpoint.h"

static unsigned sum_of(const nh_checkpoint *c)
{
    const unsigned char *number = c->number;
    const size_t bytes = (size_t)c->members * (size_t)c->size * nh_checkpoint_number(c);
    unsigned sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum += number[i];
    for (long long i = 0; i < c->members; i++)
        sum += c->fate[i];
    return sum + (unsigned)strlen(c->method) + (unsigned)strlen(c->model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { SEAL = 17 };
    nh_checkpoint c, other = {0};
    nh_error error;
    volatile unsigned sum = 0;
    char *bytes = fuzz_text(data, size), hex[SEAL];
    if (!bytes)
        return 0;
    for (int sealed = 0; sealed <= 1; sealed++) {
        if (nh_checkpoint_parse(bytes, size, "fuzz", &c, &error) == NH_OK)
            sum = sum_of(&c) + (unsigned)nh_checkpoint_fits(&c, &other, "fuzz", &error);
        if (size >= SEAL) {
            nh_checkpoint_seal(bytes, size - SEAL, hex);
            memcpy(bytes + size - SEAL, hex, SEAL - 1);
        }
    }
    (void)sum;
    free(bytes);
    return 0;
}
