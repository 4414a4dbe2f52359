/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the files of the proof checker share. A Checker lives during one proof_check. */
#pragma once
#include "base/map.h"
#include "check/proof.h"

enum { OBLIGATION_MS = 20000 };

typedef struct VariableAccess {
    unsigned thread, transition;
    bool writes;
} VariableAccess;

/* the runs of a thread from a stop to the next stop, each composed to one transition */
typedef struct CheckedRuns {
    bool found;
    Transition *list; /* a vec */
} CheckedRuns;

typedef struct Checker {
    const Proof *proof;
    const System *system;
    Exprs *exprs;
    Smt *smt;
    double deadline;
    ProofReport *report;
    Buf *certificate;
    bool ok;
    char name[200];
    bool *relevant;            /* by variable (system_relevant): swapped transitions must agree on it */
    VariableAccess **accesses; /* by variable: a vec of the transitions that read or write it */
    unsigned **stamps;         /* by thread, by transition: the stamp of its last visit */
    unsigned stamp;            /* number of the current visit (accesses_first_time) */
    Map *groups;               /* hash of a location vector -> list of nodes */
    Update **constants;        /* by node: a vec of the constants that its invariant implies */
    CheckedRuns **runs;        /* by thread, by location */
} Checker;

/* Sets the name of the current obligation, for the certificate and for refusals. */
void checker_name(Checker *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Refuses the proof. Only the first refusal is reported. */
void checker_refuse(Checker *, const char *why);
/* Adds the obligation that the hypothesis implies the conclusion, and discharges it. */
void checker_obligation(Checker *, const Expr *hypothesis, const Expr *conclusion);
/* Adds an obligation that was discharged in another way to the certificate, negated. */
void checker_write(Checker *, const Expr *negated);
/* Returns the formula that all variables have their initial values. */
const Expr *checker_initially(Checker *);
/* Returns the fact of the thread at the location, or true. */
const Expr *checker_fact(const Checker *, unsigned thread, unsigned location);

/* The symbols that a formula may mention: globals and the locals of two threads (which may be equal), or all. */
typedef struct CheckScope {
    unsigned first, second;
    bool all; /* all variables, and the places of threads */
} CheckScope;
/* Refuses a formula that mentions other symbols. */
void checker_scope(Checker *, const Expr *, CheckScope);

/* ---- access_index.c ---- */
void accesses_find(Checker *);
void accesses_forget(Checker *);
bool accesses_first_time(Checker *, const VariableAccess *); /* true at the first call for its transition since `stamp` changed */

/* ---- block_paths.c: a run of a thread in terms of the variables at its start; it ends at the first stop, or at an error ---- */
typedef struct BlockPath BlockPath;
struct BlockPath {
    unsigned thread, location; /* location: at which the run is now */
    const Expr *guard;         /* holds if the run is possible */
    const Expr **values;       /* a vec, by variable; NULL: unchanged */
    const Transition *last;    /* the last transition; NULL at the start */
    const BlockPath *before;   /* the run without it; NULL at the start */
};
typedef void BlockPathFound(void *context, const BlockPath *);
/* Reports all runs that extend `start`. The start may have a guard and known values. */
void block_paths_follow(Checker *, const BlockPath *start, BlockPathFound *, void *context);
void block_paths_from(Checker *, unsigned thread, unsigned location, BlockPathFound *, void *context);
Transition block_path_step(const BlockPath *);                                        /* as one transition; the caller owns its updates */
const Transition *checker_block_paths(Checker *, unsigned thread, unsigned location); /* a vec of the checker; empty after a refusal */
void checker_forget_block_paths(Checker *);
bool checker_is_bad(const Checker *, unsigned thread, unsigned location); /* ERROR or STOP */

/* ---- ranking.c: a run between nodes of RULE_RANKING ---- */
const Expr *ranking_is_less(Checker *, const ProofNode *from, const ProofNode *to, const BlockPath *);
void ranking_check_rounds(Checker *, const ProofNode *from, const ProofNode *to, const BlockPath *);
void ranking_check_nodes(Checker *);
/* Returns the formula that a tuple is smaller after a transition. Without `strictly` the tuple may also stay equal. */
const Expr *ranking_falls(Checker *, const Expr *const *before, const Expr *const *at_target, const Transition *, bool strictly);

/* Returns whether the symbol is an input of some transition. */
bool checker_is_input(const System *, const Symbol *);
/* Refuses if a thread has no symbol for its place, or if the symbol has another meaning. */
void checker_places(Checker *);
/* Does the same for the symbols of variables at another time (rely.c). */
void checker_after(Checker *);

/* ---- second_instance.c ----
   Returns the formula that numbers of threads marked many are larger than those of single threads, and different. */
const Expr *checker_numbers(const Checker *, unsigned t, unsigned u);
/* Checks that a thread marked many and its second instance have the same code and the same claims. */
void checker_second_instance(Checker *, unsigned thread);
/* Returns whether a formula of the second instance is the renamed formula of the thread. */
bool checker_is_renamed(Checker *, unsigned thread, const Expr *mine, const Expr *renamed);
/* Returns the local of thread `to` at the same position among its locals as v has among those of thread `from`. */
unsigned checker_corresponding_local(const System *, unsigned v, unsigned from, unsigned to);

/* The condition of a swap. can: `first` and then `second` is possible; same: the other order is possible, too, with the same result
   (movers.c). */
typedef struct Swap {
    const Expr *can, *same;
} Swap;
Swap checker_swap(const Checker *, const Transition *first, const Transition *second);

/* ---- the kinds of obligations, each in the file of its name: first those of the system ---- */
void check_facts(Checker *);
void check_movers(Checker *);
void check_blocks(Checker *);
/* ---- the obligations of the rule ---- */
void check_product(Checker *);
void check_modular(Checker *);
void check_safety(Checker *);
void check_pairs(Checker *);
void check_reduced(Checker *);
void check_rely(Checker *);
