/* SPDX-License-Identifier: MIT */
/* Hashes: 64 bits for tables, 128 bits as hexadecimal text for cache keys and golden hashes. */
#ifndef NH_BASE_HASH_H
#define NH_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t nh_hash64(const void *bytes, size_t count, uint64_t seed);
void nh_hash_hex(const void *bytes, size_t count, char hex[33]);

#endif
