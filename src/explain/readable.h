/* SPDX-License-Identifier: Apache-2.0 */
/* A proof's formulas as people read them: over the program's variables, by names that tell threads apart; mutexes are free or held,
   pointers point to something; what only Heddle needs (a thread's status or number, temporaries) is left out. */
#pragma once
#include "base/buf.h"
#include "result/proof.h"

typedef struct People People;
People *people_new(const Proof *);
void people_free(People *);
const char *people_thread(const People *, unsigned thread); /* worker, or worker[2] if there are several */
void people_position(const People *, Buf *, Position);      /* line 25, or a.c:25 if there are several files */
/* The parts of a formula that say something, for reading (expr_print_c) alone. */
const Expr *people_read(People *, const Expr *);
/* A number, likewise. */
const Expr *people_number(People *, const Expr *);

const char *people_variable(const People *, unsigned variable); /* NULL: it is not for people */
