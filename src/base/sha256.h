/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buf.h"

/* Adds the 64 hexadecimal digits of the SHA-256 of these bytes. */
void sha256_text(Buf *, const void *bytes, size_t size);
