/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the checker of proofs. */
#pragma once
#include "base/map.h"
#include "check/proof.h"

enum { OBLIGATION_MS = 20000 };

typedef struct VariableAccess {
    unsigned thread, transition;
    bool writes;
} VariableAccess;

/* Runs of a thread from a stop to the next, each composed to one transition. */
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
    bool *relevant;            /* by variable (system_relevant): what swapped transitions must agree on */
    VariableAccess **accesses; /* by variable: who reads or writes it */
    unsigned **stamps;         /* by thread, transition: the last question it was considered for */
    unsigned stamp;
    Map *groups;        /* hash of a location vector -> list of nodes */
    Update **constants; /* by node: what its invariant says is a constant */
    CheckedRuns **runs; /* by thread, by location */
} Checker;

/* What is being checked, for certificates and refusals. */
void checker_name(Checker *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first refusal counts. */
void checker_refuse(Checker *, const char *why);
/* hypothesis implies conclusion */
void checker_obligation(Checker *, const Expr *hypothesis, const Expr *conclusion);
/* One that was discharged otherwise: into the certificate, negated. */
void checker_write(Checker *, const Expr *negated);
const Expr *checker_initially(Checker *);
const Expr *checker_fact(const Checker *, unsigned thread, unsigned location);

/* What a formula may speak of: globals and the locals of two threads (or twice the same), or all. */
typedef struct CheckScope {
    unsigned first, second;
    bool all; /* … and where threads are */
} CheckScope;
void checker_scope(Checker *, const Expr *, CheckScope);

/* check/access_index.c */
void accesses_find(Checker *);
void accesses_forget(Checker *);
bool accesses_first_time(Checker *, const VariableAccess *); /* … since the stamp was renewed */

/* check/block_paths.c: a run of a thread, in terms of the variables at its start. It ends at the first stop, or at an error. */
typedef struct Run Run;
struct Run {
    unsigned thread, location; /* where it has got to */
    const Expr *guard;         /* it can be done */
    const Expr **values;       /* a vec, by variable; NULL: unchanged */
    const Transition *last;    /* the transition taken to get here … */
    const Run *before;         /* … from there; NULL at the start */
};
typedef void RunFound(void *context, const Run *);
/* All runs that begin with this one, which may know something of the start: a guard and values. */
void runs_follow(Checker *, const Run *start, RunFound *, void *context);
void runs_from(Checker *, unsigned thread, unsigned location, RunFound *, void *context);
Transition run_step(const Run *);                                              /* as one transition: its updates are the caller's */
const Transition *checker_runs(Checker *, unsigned thread, unsigned location); /* a vec, the checker's; empty once it has refused */
void checker_forget_runs(Checker *);
bool checker_is_bad(const Checker *, unsigned thread, unsigned location); /* ERROR or STOP */

/* check/ranking.c: of a run between nodes of RULE_RANKING. */
const Expr *ranking_is_less(Checker *, const ProofNode *from, const ProofNode *to, const Run *);
void ranking_check_rounds(Checker *, const ProofNode *from, const ProofNode *to, const Run *);
void ranking_check_nodes(Checker *);
/* Of a tuple, and of what it is after a transition: it is smaller, or (not strictly) it may be as it was. */
const Expr *ranking_falls(Checker *, const Expr *const *before, const Expr *const *at_target, const Transition *, bool strictly);

/* A symbol is an input of some transition. */
bool checker_is_input(const System *, const Symbol *);
/* Each thread has a symbol for where it is that is nothing else. */
void checker_places(Checker *);
/* Likewise for each variable: its value at another time (check/rely.c). */
void checker_after(Checker *);

/* check/second_instance.c. The numbers of many threads are larger than those of the others, and different. */
const Expr *checker_numbers(const Checker *, unsigned t, unsigned u);
/* Of many: the same code, and the same claims, as its twin. */
void checker_twins(Checker *, unsigned thread);
/* What is said of the twin is what is said of the thread. */
bool checker_is_twin_image(Checker *, unsigned thread, const Expr *mine, const Expr *twins);
/* The local of the one that has the same place among its locals as v among the other's. */
unsigned checker_twin_local(const System *, unsigned v, unsigned from, unsigned to);

/* check/movers.c: first, then second can be done; then second, then first can be done as well, with the same result. */
typedef struct Swap {
    const Expr *can, *same;
} Swap;
Swap checker_swap(const Checker *, const Transition *first, const Transition *second);

/* The kinds of obligations, each in the file of its name: of the system, … */
void check_facts(Checker *);
void check_movers(Checker *);
void check_blocks(Checker *);
/* … and of the rule. */
void check_product(Checker *);
void check_modular(Checker *);
void check_safety(Checker *);
void check_pairs(Checker *);
void check_reduced(Checker *);
void check_rely(Checker *);
