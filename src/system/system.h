/* SPDX-License-Identifier: Apache-2.0 */
/* The program as symbolic engines see it, and as proofs speak of it: a fixed set of threads (and kinds of threads that
   exist in any number), each a graph whose transitions are a guard and a parallel assignment over variables. No memory, no
   instructions. doc/system.md specifies its text form and meaning. passes/build/build_system.c makes it; every execution of the program without a fault is one of the system.

   What the IR keeps in the scheduler is here in variables: a thread's status (0 not yet created, 1 running, 2 ended).
   The end of the process is left out: who would end it waits. A thread's number is its index + 1, whatever the order of
   creation.
   While a thread is at an atomic location no other moves. */
#pragma once
#include "base/map.h"
#include "ir/program.h"

enum { NONE = ~0u };

typedef struct SystemVariable {
    const Symbol *symbol;   /* int or bit-vector, as the system's arithmetic is; symbol->sign as display read it */
    const char *name;       /* the program's */
    bool hidden;            /* made by Heddle: not for display */
    unsigned thread;        /* whose local it is, or NONE: global */
    const Expr *init;       /* constant; NULL: any value */
    unsigned owner;         /* of a variable used as a lock: the ghost variable with its holder's number; else NONE */
    const Variable *origin; /* in the program it was made from; NULL: none. Read back from text, it is only its type */
} SystemVariable;

typedef struct Update {
    unsigned variable;
    const Expr *value;
} Update;

/* In Transition.actions: one of several ways, EITHER way OR way … END; or LOOP way END, as often as it can be done. A way is actions,
   choices and loops in order. */
enum { ACTIONS_LOOP = ~0u - 4, ACTIONS_EITHER, ACTIONS_OR, ACTIONS_END };

/* In each round of a loop that a transition stands for, the input is what the array holds at the index. */
typedef struct SystemFill {
    const Symbol *input;
    unsigned array, index; /* variables */
} SystemFill;

typedef struct Transition {
    unsigned index, source, target;
    const Expr *guard;
    Update *updates;       /* a vec; variables not named keep their value */
    const Symbol **inputs; /* a vec: symbols of any value, its own */
    unsigned *actions;     /* a vec: of the thread's template, in order; see ACTIONS_EITHER */
    Position position;
    /* What analyses want to know; no obligation of a proof depends on it. */
    unsigned creates;      /* the thread it starts, or NONE */
    unsigned joins;        /* the thread it waits for, if that is certain, or NONE */
    bool waits;            /* it joins some thread */
    unsigned lock, unlock; /* the mutex it locks or unlocks, or NONE */
} Transition;

typedef struct SystemLocation {
    LocationKind kind;
    bool atomic, loop_head;
    const char *text; /* of ERROR and STOP */
    Position position;
    unsigned *out;  /* a vec of transitions */
    unsigned *live; /* a vec: the thread's locals whose value matters here */
} SystemLocation;

typedef struct SystemThread {
    const char *name;
    unsigned template_; /* in the program it was made from */
    bool many;
    unsigned entry;
    unsigned status;           /* variable. Of many: 0, or 1 once one was created */
    unsigned self;             /* of many: the variable with the thread's number, which is more than the number of threads here
                        and different for each of them; NONE for single threads, whose number is their index + 1 */
    unsigned twin;             /* of many: any two of them are this thread and its twin, which has the same code and locals (in the
                        same order); NONE for single threads */
    SystemLocation *locations; /* vecs */
    Transition *transitions;
} SystemThread;

typedef struct System System;
struct System {
    Exprs *exprs;
    bool integers;
    SystemVariable *variables; /* vecs */
    SystemThread *threads;
    SystemFill *fills;
    Arena *arena;
    Map *index;   /* Symbol -> variable + 1 */
    System *fine; /* what it was made from: a transition for each action, the same threads and, as the first of these,
                     variables. NULL: it is so itself */
};

System *system_empty(Exprs *);
System *system_copy(const System *); /* without fine; names are the original's */
void system_free(System *);          /* fine as well; not the expressions */
void transition_free(Transition *);
Transition transition_copy(const Transition *);
unsigned system_add_variable(System *, SystemVariable);
static inline const Expr *system_expr(const System *s, unsigned variable) { return expr_symbol(s->exprs, s->variables[variable].symbol); }
/* Goes over the transitions of all threads: x points to each, of type T. `break` ends the loop over one thread's alone. */
#define system_each_transition(T, x, s)                        \
    vec_each_at(const SystemThread, x##_thread_, (s)->threads) \
        vec_each_at(T, x, x##_thread_->transitions)
/* Is there a thread that stands for any number of them? */
bool system_has_many(const System *);
/* The number of a thread: a constant, or its self. */
const Expr *system_number(const System *, unsigned thread, const Sort *);
/* Of twins, the first; any other thread is its own. */
unsigned system_first_twin(const System *, unsigned thread);
unsigned system_variable(const System *, const Symbol *); /* NONE if it is none of its variables */
/* The expression with these values for variables (by variable; NULL: as it is). values may be NULL. */
const Expr *system_with(const System *, const Expr *const *values, const Expr *);
/* With the threads at these locations: does the value of the variable matter there? */
bool system_is_live(const System *, const unsigned *locations, unsigned variable);
/* The update of a variable by a transition; NULL: unchanged. */
const Expr *transition_update(const Transition *, unsigned variable);
/* The value it has then. */
static inline const Expr *transition_value(const System *s, const Transition *t, unsigned variable) {
    const Expr *u = transition_update(t, variable);
    return u ? u : system_expr(s, variable);
}
/* e, as it is after the transition. */
const Expr *transition_after(const System *, const Transition *, const Expr *e);
/* By variable (a vec): it is in a guard, or such a variable is computed from it. Where threads can be depends on these alone. */
bool *system_relevant(const System *);

/* Well-formedness of systems: every rule of doc/system.md, section "Well-formedness". It is cheap enough to run after every pass.
   False: *why says which rule, where. The first violation ends it. The fine system is looked at as well. */
bool system_check(const System *, Buf *why);
