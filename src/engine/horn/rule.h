/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the interface of proof rules, and the functions that rules share. A rule makes Horn clauses from the system and its blocks, and a
   proof from their solution. */
#pragma once
#include "engine/symbolic.h"
#include "engine/horn/clauses.h"

typedef struct RuleTask {
    const EngineTask *engine;
    Chain *prepared;
    double deadline; /* clock_seconds */
    bool *no_proof;  /* the rule sets it if it can find no proof, however much time it gets */
} RuleTask;

/* Tells which blocks a rule needs: none (In = ∅), or any. */
typedef enum RuleBlocks { BLOCKS_NONE, BLOCKS_ANY } RuleBlocks;

typedef struct Rule {
    const char *name; /* in --rule */
    bool (*applies)(const System *);
    RuleBlocks blocks;
    Verdict *(*run)(const RuleTask *);
    void (*dump)(const RuleTask *, Buf *); /* prints its clauses */
} Rule;

extern const Rule rule_product, rule_modular, rule_pairs, rule_redsafety, rule_reachenv;
extern const Rule rule_ranking, rule_each; /* only for the property termination */
enum { REDCOMP_RULES = 5 };
extern const Rule *const redcomp_rules[REDCOMP_RULES];

enum { MAX_SPLIT = 8000 }; /* the greatest number of clauses after splitting predicates by constants */
/* Returns a plan with the deadline and the progress of the task. */
ClausesPlan rule_plan(const RuleTask *);
/* Solves the clauses of a rule. Returns NULL if they have a solution. If they have none, sets RuleTask.no_proof if time is left. Then it returns UNSAFE if an
   execution to an error consists of the steps of a derivation of false, and otherwise UNKNOWN with the reason `no_proof`. */
Verdict *rule_solve(const RuleTask *, Clauses *, const ClausesPlan *, const char *no_proof);
void rule_progress(const RuleTask *, const char *line);
/* Returns UNKNOWN, since the solver's solution cannot be decoded. */
Verdict *rule_undecodable(void);
/* Returns true: for rules that apply to all systems. */
bool rule_applies_always(const System *);
/* True if no thread of the system is marked many: for rules that need a known number of threads. */
bool rule_fixed_number(const System *);

/* Runs the rule redsafety or reachenv, which differ only in their blocks. Messages contain `name`. */
Verdict *redsafety_run(const RuleTask *, const char *name);
void redsafety_dump(const RuleTask *, Buf *);
