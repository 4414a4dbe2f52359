/* SPDX-License-Identifier: Apache-2.0 */
/* Strings made unique: equal text, equal pointer. */
#pragma once
#include <stddef.h>

typedef struct Interner Interner;

Interner *interner_new(void);
void interner_free(Interner *);
const char *intern(Interner *, const char *text);
const char *intern_n(Interner *, const char *text, size_t length);
