/* SPDX-License-Identifier: Apache-2.0 */
/* Explores abstract states with environment transitions (Gupta, Popeea and Rybalchenko, "Predicate Abstraction and Refinement for Verifying
   Multi-Threaded Programs", POPL 2011, Sections 4 to 7; doc/rules.md, "How threader searches").

   Each thread has abstract states of its own: a location, and predicates that hold there. A block step leads to a new abstract state.
   It also gives an environment transition: transition predicates over the variables before and after the block step. Environment
   transitions of the other threads are applied to the abstract states at Out locations.

   Predicates are assertions about an extended system: the variables, the location of each thread (its place), and a primed copy of all
   these for the values after a step. */
#pragma once
#include "engine/engine.h"
#include "interpolation/abstract_post.h"
#include "passes/prepare.h"
#include "interpolation/block_steps.h"

/* The vocabulary of predicates: the globals and the thread's own locals; the places of the other threads, too; or all variables. */
typedef enum Vocabulary { VOCABULARY_MODULAR, VOCABULARY_PLACES, VOCABULARY_ALL, VOCABULARIES } Vocabulary;

typedef struct SymmetricThreads SymmetricThreads; /* symmetric_threads.c */

/* A search for executions that was in vain: at most `steps` block steps of a set, in any order. */
typedef struct Tried {
    unsigned steps;
    bool *block_steps; /* a vec, by block step: it is in the set */
} Tried;

/* The predicates, and the abstract posts of steps. A `block_step` is an index in Abstraction.block_steps. */
typedef struct Abstraction {
    const System *system;
    const Blocks *blocks;
    BlockSteps *block_steps; /* split by cases (cases.c) */
    BlockSteps *whole;       /* not split */
    Exprs *exprs;
    Smt *smt;
    AbstractPost *post;
    bool frames;               /* environment transitions change only the variables that the block step writes */
    System *extended;          /* the system's variables, then places, then the primed copies of both */
    unsigned shared;           /* the number of variables and places */
    bool *relevant;            /* by variable (system_relevant) */
    PredicateSet **predicates; /* by thread, by location: the predicates tracked there */
    PredicateSet *relations;   /* by thread: the transition predicates of its steps */
    bool *noticed;      /* by variable or place: a transition predicate, or a predicate of a thread other than its own, mentions it */
    unsigned **written; /* by block step: the variables and the place that its environment transition may change, a vec */
    unsigned *own, *relational; /* by block step: steps of `post` to the state after it, and to the states before and after it */
    unsigned *start;            /* by thread: the initial condition, as a step of `post` */
    SymmetricThreads *symmetric;
    Map *after;              /* step, mask, predicates -> mask */
    Map *steps;              /* block step, thread -> step: aret_step */
    Map *views;              /* transition predicate, block step, thread, location -> assertion about the thread's state */
    Map *cube_views;         /* the same for a set of transition predicates -> mask */
    Tried *tried;            /* a vec */
    double started, ordered; /* when the abstraction was made; seconds spent in interleave_tree */
    double searched;         /* seconds spent in interleave_all */
    unsigned depth, failed;  /* interleave_all: the number of steps to search; how often the solver did not answer */
} Abstraction;

Abstraction *abstraction_new(const Chain *, Stats *, bool frames);
void abstraction_free(Abstraction *);
static inline unsigned place_of(const Abstraction *a, unsigned thread) { return (unsigned)vec_len(a->system->variables) + thread; }
static inline unsigned after_of(const Abstraction *a, unsigned variable) { return a->shared + variable; }
static inline const Expr *abstraction_expr(const Abstraction *a, unsigned variable) { return system_expr(a->extended, variable); }
/* Splits each block step with choices into one for each case (cases.c). */
void block_steps_by_cases(BlockSteps *, const bool *relevant);
/* Returns the facts about the numbers of t and u, if they are marked many: the numbers are large, and different if t and u are. */
const Expr *abstraction_numbers(const Abstraction *, unsigned t, unsigned u);
/* Returns the mask of those predicates of the set that hold after the step, if those of the mask hold before; NEVER if the step is not
   possible then. Results are cached. */
unsigned abstraction_after(Abstraction *, unsigned step, unsigned mask, const PredicateSet *these);

/* Add the conjuncts of a formula as predicates of a thread at a location, or as transition predicates of a thread. Return false if all conjuncts
   are tracked already. */
bool abstraction_track(Abstraction *, unsigned thread, unsigned location, const Expr *);
bool abstraction_relate(Abstraction *, unsigned thread, const Expr *);

/* ---- abstract states ---- */

typedef struct Node {
    unsigned thread, location;
    unsigned mask;
    unsigned parent;     /* NONE: the node is the start of its thread */
    unsigned block_step; /* the block step that leads here from the parent; NONE if `env` does */
    unsigned env;        /* the environment transition that leads here from the parent; NONE if `block_step` does */
    bool covered;        /* a weaker node at the same location stands for it */
    unsigned envs;       /* the number of environment transitions that were applied to it */
    bool expanded;       /* the block steps of its thread were applied to it */
} Node;

typedef struct EnvTransition {
    unsigned source, block_step; /* a node, and a block step from there */
    unsigned cube;               /* a mask: transition predicates that hold of the step */
    bool covered;                /* a weaker environment transition that writes the same variables stands for it */
} EnvTransition;

/* Invariants (aret_valid): a node without a parent is the start of a thread. The parent of another node is an older node of the same thread, and
   either a block step or an environment transition leads from it to the node. An environment transition has the thread of its source. */
typedef struct Aret {
    Abstraction *abstraction;
    Node *nodes; /* vecs */
    EnvTransition *envs;
    unsigned ***by_place; /* by thread, by location: nodes */
    unsigned error, bad;  /* a node, and a block step from there to an error; both NONE if no error is reached */
} Aret;

typedef enum AretAnswer { ARET_PROVED, ARET_ERROR, ARET_TIME } AretAnswer;
/* Computes the fixpoint for the present predicates, until an error is reached that they do not exclude. */
AretAnswer aret_build(Aret *, Abstraction *, double deadline);
bool aret_valid(const Aret *);
void aret_free(Aret *);
/* Returns the step (of `post`) by which an environment transition of the block step changes the state of a thread: the variables that it writes get
   their primed values. Only transition predicates restrict these values. */
unsigned aret_step(Aret *, unsigned block_step, unsigned thread);
/* Returns the mask of those predicates of the set that hold in the thread after an environment transition, or NEVER if it is not possible. The
   predicates `mask` hold before, and the transition predicates `cube` hold of the environment transition. */
unsigned aret_apply(Aret *, unsigned mask, unsigned cube, unsigned block_step, unsigned thread, unsigned location,
                    const PredicateSet *these);
/* Finds predicates of the mask (*held) and transition predicates of the cube (*said) by which the assertion holds after an environment
   transition. If the assertion is NONE, they exclude the environment transition. aret_apply must have shown that all of them together suffice. */
void aret_needs(Aret *, unsigned mask, unsigned cube, unsigned block_step, unsigned thread, unsigned location, unsigned assertion,
                PredicateSet *held, PredicateSet *said);
/* True if the block step may change a noticed variable, so that it needs an environment transition. */
bool aret_is_noticed(const Abstraction *, const BlockStep *);
/* True if the node is at an Out location, and the environment transition is of another thread or another instance. */
bool aret_may_apply(const Aret *, unsigned node, unsigned env);
/* True if some predicate of the node mentions a variable that the environment transition writes. */
bool aret_touches(Aret *, unsigned node, unsigned env);
/* True if the environment transition writes the same variables as the block step. */
bool aret_writes_the_same(const Aret *, unsigned env, unsigned block_step);
/* Marks the nodes and environment transitions as covered for which a weaker one stands. */
void aret_cover(Aret *);
/* Returns the block step of an environment transition. */
static inline const BlockStep *aret_block_step(const Aret *r, unsigned env) {
    return &r->abstraction->block_steps->list[r->envs[env].block_step];
}

/* ---- refinement ---- */

typedef enum Lesson { REFINE_LEARNED, REFINE_ERROR, REFINE_NOTHING } RefineResult;
/* Returns a schedule to the error: the steps that led there, in an order that the system can execute. NULL if no such order is found. A vec. */
struct ScheduleStep *linearise(Aret *);
/* Return block steps (numbers in `whole`) from the start to an error, in an order that the solver finds possible; NULL if no such order is found. A
   vec. interleave_tree uses only block steps like those that led to the error, interleave_all uses all block steps. */
unsigned *interleave_tree(Aret *);
unsigned *interleave_all(Abstraction *);

/* ---- the proof ---- */
/* Returns a proof of the system with its blocks, or NULL if no proof is found. */
Proof *threader_proof(const EngineTask *, Chain *, double deadline);
/* Removes from the fixpoint what the proof does not need (needed.c). Changes nothing if that takes too long. */
void aret_keep_needed(Aret *, double deadline);
/* Adds the fixpoint to the proof. Removes conjuncts that follow from the rest, until the deadline. */
void aret_certify(const Aret *, Proof *, double deadline);

/* ---- symmetric_threads.c ---- */
/* Finds the symmetric threads: their block steps differ only in the names of variables and in constants. */
SymmetricThreads *symmetric_new(const Abstraction *);
void symmetric_free(SymmetricThreads *);
/* Returns the number of threads that are symmetric to this one, and the i-th of them. */
size_t symmetric_count(const SymmetricThreads *, unsigned thread);
unsigned symmetric_thread(const SymmetricThreads *, unsigned thread, size_t i);
/* Renames a formula about a thread to its i-th symmetric thread. NULL if the formula is too large, or has an operator that cannot be renamed. */
const Expr *symmetric_formula(const SymmetricThreads *, unsigned thread, size_t i, const Expr *);
