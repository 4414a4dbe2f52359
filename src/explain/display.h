/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the formulas of a proof readable. Variables have their names in the program; the name of a thread is added where several variables share a
   name. Mutexes are free or held, and pointers point to objects. Symbols that only Heddle needs (a thread's status or number, temporaries) are left
   out. */
#pragma once
#include "base/buf.h"
#include "result/proof.h"

typedef struct Display Display;
Display *display_new(const Proof *); /* the caller frees it; the proof outlives it */
void display_free(Display *);
const char *display_thread(const Display *, unsigned thread); /* "worker", or "worker[2]" if several threads have the name */
void display_position(const Display *, Buf *, Position);      /* adds "line 25", or "a.c:25" if the program has several files */
/* Returns the part of a formula that constrains the program's own values; true if no part is. The result is for printing (expr_print_c) only. */
const Expr *display_read(Display *, const Expr *);
/* Returns a number in the same form, with all of its parts. */
const Expr *display_number(Display *, const Expr *);

const char *display_variable(const Display *, unsigned variable); /* the variable's displayed name; NULL if it is not displayed */
