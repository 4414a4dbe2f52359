/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the data of the search of all states: the frames of its stack (search.c), and the runs that lead from one frame to the next (run.c). */
#pragma once
#include "engine/explicit/explicit.h"
#include "engine/explicit/store.h"
#include "engine/explicit/symmetry.h"

/* A run decides at a choice for one of the candidates, and at a step for one of the thread's actions. */
typedef struct Decision {
    uint32_t step;         /* number of the step in the run */
    bool choice;           /* a choice inside a step; otherwise the choice of an action */
    bool exclusive;        /* the guards exclude each other: once an action was taken, no other one is enabled */
    bool succeeded;        /* some action was taken here */
    uint64_t value, count; /* the candidate, and the number of candidates */
} Decision;

/* A thread in a sleep set. */
typedef struct Sleeper {
    unsigned thread;
    Footprint next; /* of its next step */
} Sleeper;

/* A state on the stack of the depth-first search. */
typedef struct Frame {
    uint32_t handle;
    unsigned active;   /* the thread that is explored, or 0 */
    bool again;        /* the active thread was run before, with other decisions */
    bool reduced;      /* threads outside of todo may have to be explored */
    bool moved;        /* some thread of the set could move */
    bool fresh;        /* the state was not visited before */
    bool closes_cycle; /* the state must be expanded in full (demand_expansion) */
    bool holds_bit;    /* the frame has set on_stack of the record */
    bool over;         /* the execution to the state contains an over-approximation */
    bool thread_moved; /* the active thread could move */
    bool nobody_sleeps;
    bool atomic;                 /* a thread is in an atomic section in this state */
    bool runner_moves;           /* the thread that ran last can continue */
    unsigned runner, switches;   /* the thread that ran last, and the switches so far (if they are counted) */
    Threads todo, set, everyone; /* threads not yet explored; those of the first expansion; all threads */
    Footprint touched;           /* by the active thread's step, over all decisions */
    size_t decisions, sleepers;  /* where those of this frame begin in Search.decisions and Search.sleepers */
} Frame;

struct Search {
    Context *context;
    bool reduce;
    uint64_t memory, max_states;
    double until;
    bool begun;
    Store *store;
    State *state;
    Frame *frames; /* vecs */
    Decision *decisions;
    Sleeper *sleepers, *asleep; /* the sleep sets of all frames; that of the present run */
    uint32_t *tuple;
    u128 *chosen;                     /* in the step that is tried */
    Trace *recording;                 /* NULL, except while runs are repeated for a trace */
    TraceEnd end;                     /* of the violation that was met */
    unsigned blocked;                 /* a thread that waits for another thread's lock or end; 0: none was met in the run */
    Symmetry *symmetry;               /* NULL: every thread is distinct */
    unsigned most_switches;           /* ANY_SWITCHES: they are not counted */
    unsigned runner, switches;        /* of the present run */
    bool cut;                         /* an execution has more switches than most_switches */
    bool asymmetric;                  /* threads that were assumed to be interchangeable are not */
    unsigned real[MOST_SEARCHED + 1]; /* while recording: by a thread's number in the state, its number in the trace */
    /* the present run */
    size_t run_start, cursor; /* the first decision of the run, and the next one */
    uint32_t step;
    bool guard_chose; /* a guard of the step that is tried has made a choice */
    bool over;
    bool from_section; /* the run began in the middle of an atomic section, and ends with it */
    Threads set;       /* the persistent set of the run's last state */
    bool set_known;
    uint64_t ticks;
};

enum { ANY_SWITCHES = ~0u };

/* The results of a step or a run. */
typedef enum Moved {
    MOVED,
    STUCK, /* no action of the thread is enabled */
    DEAD,  /* the execution is not followed further: a fault, the end of the process, or no action for these decisions */
    ERROR, /* a violation was met */
    PRUNED /* the thread sleeps: its step is explored elsewhere */
} Moved;

/* Returns true if the search limits the number of switches. */
static inline bool search_counts(const Search *x) { return x->most_switches != ANY_SWITCHES; }

/* Returns true if running this thread interrupts another one. To leave a thread that waits or has ended is not a switch. */
static inline bool search_is_switch(const Frame *f, unsigned thread) { return thread != f->runner && f->runner_moves; }

/* ---- run.c ---- */
/* Makes the frame's state the search's state. */
void search_restore(Search *, const Frame *);
/* Performs a run from the frame's state: a step of the active thread by its decisions, then the steps that need no alternative. */
Moved search_run(Search *, Frame *);
/* Performs a run from the search's state, which begins with a step of the thread (0: without it). Adds the first step's footprint to *touched. Sets
   *first_moved if that step was taken. */
Moved search_run_on(Search *, unsigned thread, Footprint *touched, bool *first_moved);
/* Serves as Chooser: chooses by the decisions of the present run. */
u128 search_choose(void *search, const Choice *);
/* Advances to the next decisions of a run whose decisions begin at `start`. Returns false if all were made. */
bool search_next_decisions(Search *, size_t start);
