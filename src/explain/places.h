/* SPDX-License-Identifier: Apache-2.0 */
/* Describes in words where threads are: a location of a thread, or a formula about the location of one thread. */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* Adds "worker[2] at line 7" for a location; only "at line 7" unless `named`. */
void places_where(Buf *, const Display *, const Proof *, unsigned thread, unsigned location, bool named);
/* True if the formula mentions the location of one thread and no other symbol. Sets *thread, and *after if it is the location after a step. */
bool places_is_about(const Proof *, const Expr *, unsigned *thread, bool *after);
/* Joins the i-th part of a conjunction with the later parts about the location of the same thread. Returns NULL if an earlier part includes it. */
const Expr *places_joined(const Proof *, const Expr *all, unsigned i);
/* Returns such a formula in words, in the system's arena; NULL for other formulas. */
const char *places_said(const Display *, const Proof *, const Expr *);
