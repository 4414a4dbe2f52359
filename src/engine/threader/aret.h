/* SPDX-License-Identifier: Apache-2.0 */
/* Abstract reachability with environment transitions (Gupta, Popeea, Rybalchenko: Predicate abstraction and refinement for verifying
   multi-threaded programs, POPL 2011). Each thread has abstract states of its own: where it is, and predicates that hold there. A step of a thread gives it a new
   one, and an environment transition: transition predicates, over the variables before and after the step. Those of the other threads
   are applied to its abstract states wherever others may run.

   Predicates are assertions about an extended system: besides the variables, it has where each thread is, and all of these after a step. */
#pragma once
#include "engine/engine.h"
#include "interpolation/abstract_post.h"
#include "passes/prepare.h"
#include "interpolation/block_steps.h"

/* What predicates may speak of besides the globals and a thread's own locals: nothing, where the other threads are, all. */
typedef enum Vocabulary { VOCABULARY_MODULAR, VOCABULARY_PLACES, VOCABULARY_ALL, VOCABULARIES } Vocabulary;

typedef struct SymmetricThreads SymmetricThreads; /* which threads are alike (alike.c) */

/* BlockSteps that were tried in any order. */
typedef struct Tried {
    unsigned steps;
    bool *letters; /* a vec by letter */
} Tried;

/* The predicates, and what is known of steps. */
typedef struct Abstraction {
    const System *system;
    const Blocks *blocks;
    BlockSteps *letters; /* by cases (cases.c) … */
    BlockSteps *whole;   /* … and before that */
    Exprs *exprs;
    Smt *smt;
    AbstractPost *hoare;
    bool frames;                /* what a step does not write is known to be unchanged */
    System *extended;           /* the system's variables, then places, then what all of these are after a step */
    unsigned shared;            /* variables and places: how many */
    bool *relevant;             /* by variable */
    PredicateSet **at;          /* by thread, by location: predicates that are looked at there */
    PredicateSet *relations;    /* by thread: transition predicates of its steps */
    bool *noticed;              /* by variable or place: predicates of others speak of it, or transition predicates */
    unsigned **written;         /* by letter: variables (and place) that its environment transition may change, a vec */
    unsigned *own, *relational; /* by letter: steps of hoare, to the state after it; to before and after */
    unsigned *start;            /* by thread: what holds initially, as a step */
    SymmetricThreads *alike;
    Map *after;              /* step, mask, predicates -> mask */
    Map *steps;              /* letter, thread -> step: of others, as it looks to the thread */
    Map *views;              /* transition predicate, letter, thread, location -> assertion; … */
    Map *cube_views;         /* … many of them, as a mask */
    Tried *tried;            /* a vec */
    double started, ordered; /* when it was made; for how long orders of steps were searched for */
    double searched;         /* … and executions, of … */
    unsigned depth, failed;  /* … so many steps; how often in vain */
} Abstraction;

Abstraction *abstraction_new(const Chain *, Stats *, bool frames);
void abstraction_free(Abstraction *);
static inline unsigned place_of(const Abstraction *a, unsigned thread) { return (unsigned)vec_len(a->system->variables) + thread; }
static inline unsigned after_of(const Abstraction *a, unsigned variable) { return a->shared + variable; }
static inline const Expr *abstraction_expr(const Abstraction *a, unsigned variable) { return system_expr(a->extended, variable); }
/* BlockSteps that choose become one for each case (cases.c). */
void block_steps_by_cases(BlockSteps *, const bool *relevant);
/* What is known of the numbers of many threads. */
const Expr *abstraction_numbers(const Abstraction *, unsigned t, unsigned u);
/* Which of the predicates hold after the step; NEVER. Remembered. */
unsigned abstraction_after(Abstraction *, unsigned step, unsigned mask, const PredicateSet *these);

/* Adds the parts of a formula; false: there was nothing new. */
bool abstraction_track(Abstraction *, unsigned thread, unsigned location, const Expr *);
bool abstraction_relate(Abstraction *, unsigned thread, const Expr *);

/* ---- abstract states ---- */

typedef struct Node {
    unsigned thread, location;
    unsigned mask;
    unsigned parent; /* NONE: the thread's start */
    unsigned letter; /* by which it was reached, … */
    unsigned env;    /* … or, if this is not NONE, by that environment transition */
    bool covered;    /* a weaker one came later: it is left to that */
    unsigned envs;   /* so many were applied to it */
    bool expanded;
} Node;

typedef struct Env {
    unsigned source, letter; /* a node, and the step from there */
    unsigned cube;           /* a mask: transition predicates */
    bool covered;
} Env;

/* Nodes are reached from older ones, by a letter of their own thread or by an environment transition, but for those where threads start. An environment transition
   is a step from its source. There is an error if, and only if, a letter leads to it. */
typedef struct Aret {
    Abstraction *abstraction;
    Node *nodes; /* vecs */
    Env *envs;
    unsigned ***by_place; /* by thread, by location: nodes */
    unsigned error, bad;  /* a node, and a letter from there to an error; NONE: there is none */
} Aret;

typedef enum AretAnswer { ARET_PROVED, ARET_ERROR, ARET_TIME } AretAnswer;
/* From nothing: a fixpoint, or an error that the predicates do not exclude. */
AretAnswer aret_build(Aret *, Abstraction *, double deadline);
bool aret_valid(const Aret *);
void aret_free(Aret *);
/* A letter of somebody else as a step that a thread notices: what it writes becomes anything. */
unsigned aret_step(Aret *, unsigned letter, unsigned thread);
/* Which of these hold after such a step; NEVER. */
unsigned aret_apply(Aret *, unsigned mask, unsigned cube, unsigned letter, unsigned thread, unsigned location, const PredicateSet *these);
/* What of the mask (*held) and of the transition predicates (*said) makes the assertion hold after such a step; NONE: excludes it. They do, as aret_apply told. */
void aret_needs(Aret *, unsigned mask, unsigned cube, unsigned letter, unsigned thread, unsigned location, unsigned assertion,
                PredicateSet *held, PredicateSet *said);
/* Somebody's predicates speak of what the letter may change. */
bool aret_is_noticed(const Abstraction *, const BlockStep *);
/* The node is where the environment transition may be taken; what holds there is about what it writes. */
bool aret_may_apply(const Aret *, unsigned node, unsigned env);
bool aret_touches(Aret *, unsigned node, unsigned env);
/* It writes the same as the letter. */
bool aret_writes_the_same(const Aret *, unsigned env, unsigned letter);
/* Those that say more than another are left to that. */
void aret_cover(Aret *);
static inline const BlockStep *aret_letter(const Aret *r, unsigned env) { return &r->abstraction->letters->list[r->envs[env].letter]; }

/* ---- refinement ---- */

typedef enum Lesson { LESSON_LEARNED, LESSON_ERROR, LESSON_NOTHING } Lesson;
/* An order of the steps that led to the error in which the program can do them; NULL: none was found. A vec. */
struct ScheduleStep *linearise(Aret *);
/* BlockSteps (whole ones) from the start to an error, in an order that the solver finds possible; NULL: none was found. A vec. First of what led to
   this error, then, now and then, of all there are. */
unsigned *interleave_tree(Aret *);
unsigned *interleave_all(Abstraction *);

/* ---- the proof ---- */
/* Of a program with its blocks; NULL: none was found. */
Proof *threader_proof(const EngineTask *, Chain *, double deadline);
/* Of the fixpoint, what the proof needs stays (needed.c); if that takes too long, all does. */
void aret_keep_needed(Aret *, double deadline);
/* The deadline is for what follows from the rest, so that it need not be said. */
void aret_certify(const Aret *, Proof *, double deadline);

/* ---- alike.c ---- */
SymmetricThreads *symmetric_new(const Abstraction *);
void symmetric_free(SymmetricThreads *);
/* The threads that are like this one: how many, and which. */
size_t symmetric_count(const SymmetricThreads *, unsigned thread);
unsigned symmetric_thread(const SymmetricThreads *, unsigned thread, size_t i);
/* A formula about a thread, as one about the i-th that is like it; NULL: it is not said of that. */
const Expr *symmetric_formula(const SymmetricThreads *, unsigned thread, size_t i, const Expr *);
