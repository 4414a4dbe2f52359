/* SPDX-License-Identifier: Apache-2.0 */
/* Where threads are, in words: of a place, and of a formula about the place of one thread. */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* "worker[2] at line 7", without the thread's name if it is not to be named. */
void places_where(Buf *, const Display *, const Proof *, unsigned thread, unsigned location, bool named);
/* The formula is about where one thread is and nothing else; *thread, and whether after a step. */
bool places_is_about(const Proof *, const Expr *, unsigned *thread, bool *after);
/* Of a conjunction: the i-th part with the later ones that are about the same thread's place; NULL: an earlier one has it. */
const Expr *places_joined(const Proof *, const Expr *all, unsigned i);
/* Such a formula as words, of the system's arena. */
const char *places_said(const Display *, const Proof *, const Expr *);
