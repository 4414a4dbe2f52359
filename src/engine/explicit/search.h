/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the search: frames of the stack, and the runs between them. */
#pragma once
#include "engine/explicit/explicit.h"
#include "engine/explicit/store.h"
#include "engine/explicit/symmetry.h"

typedef struct Decision {
    uint32_t step;  /* of the run */
    bool choice;    /* a choice inside a step; else which action to take */
    bool exclusive; /* once an action was taken, no other can be */
    bool succeeded; /* some action was taken here */
    uint64_t value, count;
} Decision;

typedef struct Sleeper {
    unsigned thread;
    Footprint next; /* what its step touches */
} Sleeper;

typedef struct Frame {
    uint32_t handle;
    unsigned active; /* the thread being explored, or 0 */
    bool again;      /* it has been run before */
    bool reduced;    /* others than todo may have to be explored */
    bool moved;      /* some thread of the set could move */
    bool fresh;      /* the state was not visited before */
    bool closes_cycle;
    bool holds_bit;    /* it set on_stack of the record */
    bool over;         /* an over-approximation was made on the way here */
    bool thread_moved; /* the active one could */
    bool nobody_sleeps;
    bool atomic;               /* a thread is in an atomic section here */
    bool runner_moves;         /* the thread that ran last can go on */
    unsigned runner, switches; /* it, and switches so far (of a search that counts them) */
    Threads todo, set, everyone;
    Footprint touched;          /* by the active thread's step, over all decisions */
    size_t decisions, sleepers; /* where its own begin */
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
    Sleeper *sleepers, *asleep;
    uint32_t *tuple;
    u128 *chosen; /* in the step being tried */
    Trace *recording;
    TraceEnd end;                     /* of the violation that was met */
    unsigned blocked;                 /* a thread that waits for another's lock or end; 0: none was met in the run */
    Symmetry *symmetry;               /* NULL: every thread is one of its own */
    unsigned most_switches;           /* ANY_SWITCHES: they are not counted */
    unsigned runner, switches;        /* of the run under way */
    bool cut;                         /* an execution has more switches than that */
    bool asymmetric;                  /* threads were taken as interchangeable that are not */
    unsigned real[MOST_SEARCHED + 1]; /* while recording: by number in the state, that in the trace */
    /* the run under way */
    size_t run_start, cursor;
    uint32_t step;
    bool guard_chose; /* evaluating a guard in the step being tried */
    bool over;
    bool from_section; /* it began in the middle of an atomic section: it ends with that */
    Threads set;       /* persistent set of the state where it came to rest */
    bool set_known;
    uint64_t ticks;
};

enum { ANY_SWITCHES = ~0u };

typedef enum Moved { MOVED, STUCK, DEAD, ERROR, PRUNED } Moved;

static inline bool search_counts(const Search *x) { return x->most_switches != ANY_SWITCHES; }

/* A thread that waits or has ended is left without being interrupted. */
static inline bool search_is_switch(const Frame *f, unsigned thread) { return thread != f->runner && f->runner_moves; }

/* ---- run.c ---- */
/* The state in hand is the frame's. */
void search_restore(Search *, const Frame *);
/* The frame's active thread moves, by the decisions that are there, and what follows of itself. */
Moved search_run(Search *, Frame *);
/* From the state in hand: thread moves (0: none), and what follows of itself. *touched grows by the first step's footprint. */
Moved search_run_on(Search *, unsigned thread, Footprint *touched, bool *first_moved);
u128 search_choose(void *search, const Choice *); /* a Chooser: by decisions */
/* The next way to decide since start; false: there is none. */
bool search_next_decisions(Search *, size_t start);
