/* SPDX-License-Identifier: Apache-2.0 */
/* The program as symbolic engines see it: a fixed set of threads (and kinds of threads that exist in any number), each a
   graph whose transitions are a guard and a parallel assignment over variables. No memory, no instructions.
   Every execution of the program without a fault is one of the system; see regions.c for what it has more.

   What the IR keeps in the scheduler is here in variables: a thread's status (0 not yet created, 1 running, 2 ended) and
   whether the process has halted. A thread's number is its index + 1, whatever the order of creation. */
#ifndef HEDDLE_TRANSFORM_SYSTEM_H
#define HEDDLE_TRANSFORM_SYSTEM_H
#include "ir/program.h"

typedef enum Arith { ARITH_AUTO, ARITH_INT, ARITH_BV } Arith;

enum { NO_THREAD = ~0u };

typedef struct SystemVariable {
    const Symbol *symbol;  /* in the chosen arithmetic */
    const Variable *origin; /* of the program; temporary for a thread's status, and halted */
    unsigned thread;       /* whose local it is, or NO_THREAD: global */
    const Expr *init;      /* constant; NULL: any value */
} SystemVariable;

typedef struct Update {
    unsigned variable;
    const Expr *value;
} Update;

typedef struct Transition {
    unsigned index, source, target;
    const Expr *guard;
    Update *updates;  /* a vec; variables not named keep their value */
    Variable **inputs; /* a vec: fresh, of any value within the guard; symbol is in the chosen arithmetic */
    unsigned action;  /* of the thread's template */
    unsigned creates; /* the thread it starts, or NO_THREAD */
} Transition;

typedef struct SystemThread {
    const Template *template_;
    bool many;
    unsigned status; /* variable; NO_THREAD for main and for many */
    Transition *transitions; /* vecs */
    unsigned **out;          /* by location: a vec of transitions */
    unsigned *locals;        /* variables */
} SystemThread;

typedef struct System {
    Program *program; /* transformed; owned */
    Exprs *exprs;
    bool integers;
    unsigned halted; /* variable */
    SystemVariable *variables; /* vecs */
    SystemThread *threads;
} System;

/* Takes the program (which regions has freed of memory) over. NULL: *why says what stands in the way; the program is
   then freed too. */
System *system_new(Program *, bool integers, Buf *why);
void system_free(System *);
const Expr *system_expr(const System *, unsigned variable);
/* The update of a variable by a transition; NULL: unchanged. */
const Expr *transition_update(const Transition *, unsigned variable);

#endif
