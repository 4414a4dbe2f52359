/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the phases of the explicit engine share: random simulation, search of all states, and shortening of traces. A Context is one
   run of the engine. It collects what the phases find: a violation, reasons why not all executions were covered, and notes for the verdict. */
#pragma once
#include "base/map.h"
#include "engine/engine.h"
#include "engine/explicit/inputs.h"
#include "engine/explicit/reduce.h"
#include "engine/explicit/symmetry.h"
#include "ir/asserts.h"

typedef struct Context {
    const EngineTask *task;
    const Program *program;
    Machine *machine;
    Reduction *reduction;
    Inputs *inputs;
    uint64_t random;
    double start, last_progress;

    Trace *trace;     /* a violation */
    char *incomplete; /* why not all executions were covered: the first reason of the gravest kind; NULL: no reason was met */
    UnknownReason incomplete_cause;
    Position incomplete_at;
    bool sampled;              /* some choice had too many values to try them all */
    unsigned switches;         /* executions with fewer context switches reach no error; 0: nothing is known */
    uint64_t bounded_states;   /* number of states that these executions have */
    bool sorted;               /* states that differ by a permutation of interchangeable threads were stored as one */
    Trace *doubtful;           /* reaches an error through over-approximations; NULL: no such trace was met */
    unsigned doubts;           /* number of traces through over-approximations that were met */
    bool has_results;          /* some function without a body has an unknown result; another trace may not depend on it */
    char **notes;              /* a vec */
    Map *noted;                /* Instr or Action → set of the faults that were noted for it */
    Asserts *asserts;          /* a place is removed from its `at` once a thread was there */
    bool *judged;              /* a vec, by assertion: an execution reached it */
    char *cut;                 /* the first undefined behaviour that does not violate the property, as text */
    Faults cut_by;             /* the kinds of all undefined behaviour that does not violate the property */
    bool faulted;              /* some execution has undefined behaviour */
    Faults faults;             /* the kinds that violate the property */
    bool only_faults;          /* the simulation searches for one of `faults` only; error locations do not count */
    bool deadlocks, leaks;     /* these violate the property */
    char *deadlock;            /* lists the waiting threads of a deadlock, with their places; NULL: no deadlock was met */
    unsigned thread_limit;     /* no more threads are created; 0: the search stops at MOST_SEARCHED, the simulation has no limit */
    const Instr *beyond_limit; /* a creation that was not followed because of the limit; NULL: the limit was not met */
} Context;

/* Returns a new context. The task must outlive it, and must have stats. */
Context *context_new(const EngineTask *);
void context_free(Context *);
/* Returns the seconds since the engine's start. */
double context_seconds(const Context *);
/* Reports a line of progress, at most five times a second. */
void context_progress(Context *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes over a trace that reaches an error through over-approximations. Returns true if the error does not depend on any of them; the trace is
   then the context's violation. */
bool context_add_doubtful(Context *, Trace *);
/* Returns true if another trace for context_add_doubtful may help. */
bool context_wants_doubtful(const Context *);
/* Records that a step of this action faulted. The execution is not followed further. */
void context_fault(Context *, const Action *, const StepResult *);
/* Returns true if the result is a fault that violates the property and is not a known violation. */
bool context_violates(const Context *, const Action *, const StepResult *);
/* Returns true if threads wait for ever in this state, and this is not a known violation. If thread is not 0, this thread must be among them. */
bool context_is_deadlocked(Context *, const State *, unsigned thread);
/* Must follow a query about which threads can move. If the answer depended on a value of which not all were tried, the context is incomplete. */
void context_check_waits(Context *);
/* Records that the values tried for this choice do not represent all values. */
void context_sampled(Context *, const Choice *);
/* Classifies locations by their effect on an execution that reaches them. */
typedef enum Arrival {
    ARRIVAL_PLAIN,
    ARRIVAL_ERROR,
    ARRIVAL_STOP, /* the rest of the execution is not modelled */
    ARRIVAL_END,  /* the process has ended */
    ARRIVAL_LEAK  /* the process has ended and has lost memory */
} Arrival;
/* Classifies the location that the action has reached. The state is the one after the action. Records what is left out there. */
Arrival context_arrive(Context *, const State *, const Template *, const Action *);
/* Returns true, and records the creation, if the action creates a thread beyond the limit. */
bool context_beyond_limit(Context *, const State *, const Action *);
static inline bool action_is_over(const Program *p, const Action *a) {
    return a->approximation != NO_APPROXIMATION && p->approximations[a->approximation].kind == APPROX_OVER;
}

/* ---- notice.c ---- */
/* Records that a thread has reached a location at which an assertion is evaluated. */
void notice_place(Context *, unsigned template_, unsigned location);
static inline void notice_step(Context *c, const Template *t, const Action *a) {
    const bool *at = c->asserts->is_branch[t->index];
    if (at[a->source]) notice_place(c, t->index, a->source);
    if (at[a->target]) notice_place(c, t->index, a->target);
}
/* Records a deadlock if all threads of the state that have not ended wait for each other. No thread of it can move. Uses the state as scratch. */
void notice_deadlock(Context *, State *);
/* Adds warnings to the verdict: of a deadlock, and of assertions that no execution reaches. */
void notice_warn(const Context *, Verdict *);
/* Returns true if no assertion was reached, but undefined behaviour was. */
bool notice_vacuous(const Context *);

/* ---- search.c: every reachable state ---- */
typedef enum SearchEnd {
    SEARCH_EXHAUSTED, /* every reachable state was visited */
    SEARCH_FOUND,     /* the context has the trace of a violation */
    SEARCH_TIME,      /* the bound on time was met: the search can continue */
    SEARCH_STATES,    /* the bound on states was met: the search can continue */
    SEARCH_MEMORY,
    SEARCH_ASYMMETRIC /* threads are not interchangeable after all: a new search must begin */
} SearchEnd;
typedef struct Search Search;
/* Returns a new search that may use `memory` bytes. Without `reduce`, every action of every thread is a step of its own, in every order.
   The symmetry has the interchangeable threads; NULL: every thread is distinct. */
Search *search_new(Context *, bool reduce, Symmetry *, uint64_t memory);
/* Searches until all states are visited, a violation is found, or a bound is met. `until` is in seconds since the engine's start; max_states 0
   sets no bound. */
SearchEnd search_continue(Search *, double until, uint64_t max_states);
/* Limits the search to executions with at most `most` switches away from a thread that could continue. Call it before the search begins, and only for
   a search without `reduce`. */
void search_count_switches(Search *, unsigned most);
/* Returns true if some execution has more switches than the limit. */
bool search_was_cut(const Search *);
uint64_t search_states(const Search *);
/* Frees the search and adds its numbers to the statistics. */
void search_free(Search *);

/* ---- random_simulation.c: random schedules and inputs ---- */
/* Runs random executions until that time, in seconds since the start. Returns true if context->trace is a violation. */
bool simulation_run(Context *, double until);

/* ---- again.c ---- */
/* Checks the claim that all states were visited. Few states are visited again, until that time (seconds since the start). Then random
   executions run for at most `simulating` seconds. Returns true if all states were visited again and no violation was found. *end is FOUND if
   the context has a violation. */
bool revisit_states(Context *, double simulating, double until, SearchEnd *end);

/* ---- certify.c ---- */
/* Returns how the system of certify_states is made. */
PassSettings certify_settings(const EngineTask *);
/* Returns the state space as a proof with obligations. The proof has a node for each control state, with the known values of variables as its
   invariant. Returns NULL and sets *why_not (a literal) if there is no such proof, or only a large one. until: seconds since the start. */
Proof *certify_states(Context *, double until, const char **why_not);

/* ---- shorten.c ---- */
/* Shortens a trace in place, for at most so much time. It still ends in the same kind of violation. */
void shorten_trace(Context *, Trace *, double seconds);
