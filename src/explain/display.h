/* SPDX-License-Identifier: Apache-2.0 */
/* A proof's formulas as display read them: over the program's variables, by names that tell threads apart; mutexes are free or held,
   pointers point to something; what only Heddle needs (a thread's status or number, temporaries) is left out. */
#pragma once
#include "base/buf.h"
#include "result/proof.h"

typedef struct Display Display;
Display *display_new(const Proof *);
void display_free(Display *);
const char *display_thread(const Display *, unsigned thread); /* worker, or worker[2] if there are several */
void display_position(const Display *, Buf *, Position);      /* line 25, or a.c:25 if there are several files */
/* The parts of a formula that say something, for reading (expr_print_c) alone. */
const Expr *display_read(Display *, const Expr *);
/* A number, likewise. */
const Expr *display_number(Display *, const Expr *);

const char *display_variable(const Display *, unsigned variable); /* NULL: it is not for display */
