/* SPDX-License-Identifier: Apache-2.0 */
/* Computes SHA-256 sums. */
#pragma once
#include "base/buf.h"

/* Adds the SHA-256 sum of the bytes as 64 hexadecimal digits. */
void sha256_text(Buf *, const void *bytes, size_t size);
