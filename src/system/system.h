/* SPDX-License-Identifier: Apache-2.0 */
/* A system is the program that symbolic engines see and that proofs mention. The set of threads is fixed, but a thread marked many stands
   for any number of threads. Each thread is a graph whose transitions are a guard and a parallel assignment over variables. A system has
   neither memory nor instructions. The document doc/system.md specifies its text form and meaning. The pass passes/build/build_system.c
   makes it. Every execution of the program without a fault is an execution of the system.

   The status of a thread, which the scheduler of the IR keeps, is a variable here (0 not yet created, 1 running, 2 ended). The end of the
   process is left out: a thread that would end it waits. The number of a single thread is its index + 1, whatever the order of creation.
   While a thread is at an atomic location, no other thread moves. */
#pragma once
#include "base/map.h"
#include "ir/program.h"

enum { NONE = ~0u };

typedef struct SystemVariable {
    const Symbol *symbol;   /* has the sort int or a bit-vector, by the system's arithmetic; symbol->sign is the sign for display */
    const char *name;       /* the name in the program */
    bool hidden;            /* made by Heddle, and not displayed */
    unsigned thread;        /* the thread of a local variable; NONE for a global variable */
    const Expr *init;       /* a constant; NULL for any value */
    unsigned owner;         /* for a variable used as a lock, the ghost variable with the number of its holder; otherwise NONE */
    const Variable *origin; /* the variable in the original program, or NULL. After parsing, it only has the type */
} SystemVariable;

typedef struct Update {
    unsigned variable;
    const Expr *value;
} Update;

/* Marks in Transition.actions: EITHER way OR way … END is a choice of ways, and LOOP way END is a way that repeats any number of times. A
   way is a sequence of actions, choices and loops. */
enum { ACTIONS_LOOP = ~0u - 4, ACTIONS_EITHER, ACTIONS_OR, ACTIONS_END };

/* A transition may stand for a loop. In each round of this loop, the value of the input is the element of the array at the index. */
typedef struct SystemFill {
    const Symbol *input;
    unsigned array, index; /* indices of variables */
} SystemFill;

typedef struct Transition {
    unsigned index, source, target;
    const Expr *guard;
    Update *updates;       /* a vec; other variables keep their value */
    const Symbol **inputs; /* a vec of the transition's own symbols, which have any value */
    unsigned *actions;     /* a vec: actions of the thread's template, in order, and marks such as ACTIONS_EITHER */
    Position position;
    /* notes for analyses; no obligation of a proof depends on them */
    unsigned creates;      /* the thread that the transition creates, or NONE */
    unsigned joins;        /* the thread that the transition certainly waits for, or NONE */
    bool waits;            /* the transition joins a thread */
    unsigned lock, unlock; /* the mutex that the transition locks or unlocks, or NONE */
} Transition;

typedef struct SystemLocation {
    LocationKind kind;
    bool atomic, loop_head;
    const char *text; /* the message of ERROR and STOP */
    Position position;
    unsigned *out;  /* a vec of transitions, in ascending order */
    unsigned *live; /* a vec of the thread's locals that later steps may read, in ascending order */
} SystemLocation;

typedef struct SystemThread {
    const char *name;
    unsigned template_; /* the index of the template in the original program */
    bool many;          /* the thread stands for any number of threads */
    unsigned entry;
    unsigned status; /* a variable: 0 not yet created, 1 running, 2 ended. For a thread marked many: 0, or 1 after the first
                                  creation */
    unsigned self;   /* for a thread marked many: the local variable with the number of the thread. The numbers differ and are
                                  greater than the number of threads of the system. NONE for a single thread, whose number is its index +
                                  1 */
    /* For a thread marked many: the other of its two instances. The two stand for any two of the many threads, and have the same code and locals
       (in the same order). NONE for a single thread. */
    unsigned other_instance;
    SystemLocation *locations; /* a vec */
    Transition *transitions;   /* a vec */
} SystemThread;

typedef struct System System;
struct System {
    Exprs *exprs;
    bool integers;
    SystemVariable *variables; /* a vec */
    SystemThread *threads;     /* a vec */
    SystemFill *fills;         /* a vec */
    Arena *arena;
    Map *index;   /* Symbol → variable + 1 */
    System *fine; /* the system that this one was composed from, with a transition for each action and the same threads. Its variables are
                     the first variables here. NULL if this system was not composed */
};

System *system_empty(Exprs *);
System *system_copy(const System *); /* copies neither fine nor fills; the names belong to the original */
void system_free(System *);          /* frees fine as well, but no expressions */
void transition_free(Transition *);
Transition transition_copy(const Transition *);
unsigned system_add_variable(System *, SystemVariable);
static inline const Expr *system_expr(const System *s, unsigned variable) { return expr_symbol(s->exprs, s->variables[variable].symbol); }
/* Loops over the transitions of all threads: x points to each, of type T. `break` only ends the loop over the present thread. */
#define system_each_transition(T, x, s)                        \
    vec_each_at(const SystemThread, x##_thread_, (s)->threads) \
        vec_each_at(T, x, x##_thread_->transitions)
/* True if a thread is marked many. */
bool system_has_many(const System *);
/* Returns the number of a thread: a constant, or the thread's variable self. */
const Expr *system_number(const System *, unsigned thread, const Sort *);
/* Returns the variable with the number of a thread marked many, or NULL for a single thread. */
const Expr *system_self(const System *, unsigned thread);
/* Returns the facts about the numbers of n threads marked many: they are larger than the number of threads of the system, and different from
   each other. An entry that is NULL stands for a thread that is not marked many. */
const Expr *system_numbers(const System *, unsigned n, const Expr *const *numbers);
/* Returns the first instance of a thread marked many, for either instance. Returns a single thread unchanged. */
unsigned system_first_instance(const System *, unsigned thread);
unsigned system_variable(const System *, const Symbol *); /* NONE if the system has no such variable */
/* Returns the expression with values for variables (by variable; NULL keeps the variable). values may be NULL. */
const Expr *system_with(const System *, const Expr *const *values, const Expr *);
/* True if later steps may read the variable while the threads are at these locations. */
bool system_is_live(const System *, const unsigned *locations, unsigned variable);
/* Returns the value that the transition assigns to the variable, or NULL if the variable keeps its value. */
const Expr *transition_update(const Transition *, unsigned variable);
/* Returns the value of the variable after the transition, over the variables before it. */
static inline const Expr *transition_value(const System *s, const Transition *t, unsigned variable) {
    const Expr *u = transition_update(t, variable);
    return u ? u : system_expr(s, variable);
}
/* Returns the value of e after the transition, over the variables before it. */
const Expr *transition_after(const System *, const Transition *, const Expr *e);
/* Returns a vec by variable, which the caller frees: true if a guard depends on the variable, directly or by assignments. No other variable
   affects where threads can be. */
bool *system_relevant(const System *);

/* Checks every rule of doc/system.md, section "Well-formedness", for the system and its fine system. Cheap enough to run after every pass.
   False at the first violation: *why gets the rule and the place. */
bool system_check(const System *, Buf *why);
