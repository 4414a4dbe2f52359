/* SPDX-License-Identifier: Apache-2.0 */
/* Makes strings unique: equal texts get equal pointers. The interner owns the strings. */
#pragma once
#include <stddef.h>

typedef struct Interner Interner;

Interner *interner_new(void);
void interner_free(Interner *);
const char *intern(Interner *, const char *text);
const char *intern_n(Interner *, const char *text, size_t length);
