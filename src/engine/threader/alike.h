/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "engine/threader/aret.h"

Alike *alike_new(const Abstraction *); /* see alike.c */
void alike_free(Alike *);
/* The threads that are like this one: how many, and which. */
size_t alike_count(const Alike *, unsigned thread);
unsigned alike_thread(const Alike *, unsigned thread, size_t i);
/* A formula about a thread, as one about the i-th that is like it; NULL: it is not said of that. */
const Expr *alike_formula(const Alike *, unsigned thread, size_t i, const Expr *);
