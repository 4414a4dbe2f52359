/* SPDX-License-Identifier: Apache-2.0 */
/* A proof rule: it turns the prepared program into Horn clauses, and their solution into a proof. */
#pragma once
#include "engine/symbolic.h"
#include "engine/horn/clauses.h"

/* What a rule is given. */
typedef struct RuleTask {
    const EngineTask *engine;
    Chain *prepared;
    double deadline; /* clock_seconds */
    bool *no_proof;  /* set if there is none by this rule, however much time there is */
} RuleTask;

/* Which blocks a rule wants: none (In = ∅), such that no loop is inside one, or any. */
typedef enum RuleBlocks { BLOCKS_NONE, BLOCKS_WITHOUT_LOOPS, BLOCKS_ANY } RuleBlocks;

typedef struct Rule {
    const char *name; /* as --rule has it */
    bool (*applies)(const System *);
    RuleBlocks blocks;
    Verdict *(*run)(const RuleTask *);
    void (*dump)(const RuleTask *, Buf *); /* its clauses */
} Rule;

extern const Rule rule_product, rule_modular, rule_pairs, rule_redsafety, rule_reachenv;
extern const Rule rule_ranking, rule_each; /* for the property termination */
enum { REDCOMP_RULES = 5 };
extern const Rule *const redcomp_rules[REDCOMP_RULES];

enum { MAX_SPLIT = 8000 }; /* clauses, once predicates are split by constants */
ClausesPlan rule_plan(const RuleTask *);
/* Solves a modular rule's clauses. NULL: solved; else why there is no proof (no_proof: if it is certain that there is none). */
Verdict *rule_solve(const RuleTask *, Clauses *, const ClausesPlan *, const char *no_proof);
void rule_progress(const RuleTask *, const char *line);
/* What is known of the numbers of some of many: larger than those of single threads, and different. NULL among them: a single thread. */
const Expr *rule_numbers(const System *, unsigned n, const Expr *const *numbers);
Verdict *rule_unreadable(void);
bool rule_any(const System *);          /* applies to all systems */
bool rule_fixed_number(const System *); /* … without threads that are many */

/* What the rules redsafety and reachenv share: they differ in the blocks they are given. name: of the rule, for what is said. */
Verdict *redsafety_run(const RuleTask *, const char *name);
void redsafety_dump(const RuleTask *, Buf *);
