/* SPDX-License-Identifier: Apache-2.0 */
/* The explicit engine's inside: what its phases (hunt, search, shorten) share. */
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
    char *incomplete; /* why not all executions were covered: the first reason of the gravest kind; NULL if there is none */
    UnknownReason incomplete_cause;
    Position incomplete_at;
    bool sampled;      /* some choice had too many values */
    unsigned switches; /* no error in executions with fewer switches than that, of so many states; 0: nothing is known */
    uint64_t bounded_states;
    bool sorted;               /* interchangeable threads were not told apart */
    Trace *doubtful;           /* an error, by assumptions about the program */
    unsigned doubts;           /* how many such were met */
    bool has_results;          /* of functions without a body: another such trace may do without */
    char **notes;              /* a vec */
    Map *noted;                /* what was noted already */
    Asserts *asserts;          /* those places at which a thread was are no longer in `at` */
    bool *judged;              /* a vec, by assertion: an execution reached it */
    char *cut;                 /* the first undefined behaviour that does not violate the property, as text */
    Faults cut_by;             /* all such */
    bool faulted;              /* some execution comes to undefined behaviour */
    Faults faults;             /* those that violate the property */
    bool only_faults;          /* the hunt is for such a one, whatever the property */
    bool deadlocks, leaks;     /* these violate the property */
    char *deadlock;            /* who waits where, in one; NULL: none was met */
    unsigned thread_limit;     /* creations beyond it are not followed; 0: MOST_SEARCHED in the search, none in the hunt */
    const Instr *beyond_limit; /* the creation that met it; NULL: none did */
} Context;

Context *context_new(const EngineTask *); /* the task must outlive it, and have stats */
void context_free(Context *);
double context_seconds(const Context *); /* since the start */
void context_progress(Context *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A trace (taken over) to an error through over-approximations: true if none of them matters, and it is the context's violation. */
bool context_doubt(Context *, Trace *);
/* Is it worth to look at one more of them? */
bool context_cares(const Context *);
/* A step of this action faulted: the execution is not followed further. */
void context_fault(Context *, const Action *, const StepResult *);
/* Is the fault of this action a violation that was not told yet? */
bool context_violates(const Context *, const Action *, const StepResult *);
/* Do threads wait for ever in this state, not as was told already? thread: this one does; 0: any. */
bool context_waits(Context *, const State *, unsigned thread);
void context_unsure(Context *); /* after it was asked who can move: not all was tried on which that depends */
/* The values tried for a choice do not stand for all. */
void context_sampled(Context *, const Choice *);
/* What reaching a location means. */
typedef enum Arrival { ARRIVAL_PLAIN, ARRIVAL_ERROR, ARRIVAL_STOP, ARRIVAL_END, ARRIVAL_LEAK } Arrival;
/* The state is that after the action. END: the process has ended; LEAK: and has lost memory. */
Arrival context_arrive(Context *, const State *, const Template *, const Action *);
/* Does the action create a thread beyond the limit? */
bool context_beyond_limit(Context *, const State *, const Action *);
static inline bool action_is_over(const Program *p, const Action *a) {
    return a->approximation != NO_APPROXIMATION && p->approximations[a->approximation].kind == APPROX_OVER;
}

/* ---- notice.c ---- */
void notice_place(Context *, unsigned template_, unsigned location); /* a thread is where an assertion is judged */
static inline void notice_step(Context *c, const Template *t, const Action *a) {
    const bool *at = c->asserts->at[t->index];
    if (at[a->source]) notice_place(c, t->index, a->source);
    if (at[a->target]) notice_place(c, t->index, a->target);
}
void notice_stuck(Context *, State *); /* no thread can move; the state may be changed */
void notice_warn(const Context *, Verdict *);
bool notice_vacuous(const Context *); /* no assertion was reached, but undefined behaviour was */

/* ---- search.c: every reachable state ---- */
typedef enum SearchEnd { SEARCH_EXHAUSTED, SEARCH_FOUND, SEARCH_TIME, SEARCH_STATES, SEARCH_MEMORY, SEARCH_ASYMMETRIC } SearchEnd;
typedef struct Search Search;
/* reduce false: every action of every thread is a step of its own, in every order. symmetry: which threads are interchangeable; NULL: none. */
Search *search_new(Context *, bool reduce, Symmetry *, uint64_t memory);
/* Go on until all is explored (EXHAUSTED, FOUND with the trace in the context) or a bound is met: seconds since the
   engine's start, states (0: none), memory. After TIME and STATES it can go on. ASYMMETRIC: threads turned out not to be interchangeable; begin anew. */
SearchEnd search_continue(Search *, double until, uint64_t max_states);
/* Before it begins, of one that does not reduce: only executions with so many switches from a thread that could go on. */
void search_count_switches(Search *, unsigned most);
bool search_was_cut(const Search *); /* there are executions with more */
uint64_t search_states(const Search *);
void search_free(Search *); /* adds to the statistics */

/* ---- hunt.c: random schedules and inputs ---- */
bool simulation_run(Context *, double until); /* true: context->trace is a violation */

/* ---- again.c ---- */
/* Checks a claim. True: all states were visited, and none violates the property. *end is FOUND if there is a violation, with the trace in the context.
   For so many seconds at most executions are tried at random; until then (seconds since the start) states are visited. */
bool again_visits(Context *, double hunting, double until, SearchEnd *end);

/* ---- certify.c ---- */
/* The state space as a proof with obligations: what the states of the system are, where threads are. NULL: it has no such form, or none
   that is small, and *why_not (a literal). until: seconds since the start. */
PassSettings certify_settings(const EngineTask *);
Proof *certify_states(Context *, double until, const char **why_not);

/* ---- shorten.c ---- */
void shorten_trace(Context *, Trace *, double seconds);
