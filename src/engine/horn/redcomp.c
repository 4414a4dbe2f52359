/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `redcomp`: reduction to blocks, then Horn clauses. The program is prepared (one template per thread,
   memory as variables, integers where possible), its movers and blocks are found, and a rule (one file each in this folder)
   turns it into clauses for Spacer. A solution becomes a proof, a refutation a schedule. */
#include "base/clock.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "engine/horn/redcomp.h"
#include "engine/horn/rule.h"
#include <string.h>

/* ---- the rules ---- */

const Rule *const redcomp_rules[REDCOMP_RULES] = {&rule_product, &rule_modular, &rule_pairs, &rule_redsafety, &rule_reachenv};
/* What each gets of the time that is left when its turn comes. The last two are tried only when they are asked for. */
static const double share[REDCOMP_RULES] = {0.7, 0.5, 1.0, 0, 0};

static bool is_wanted(const EngineTask *task, unsigned i) {
    return task->rule ? !strcmp(task->rule, redcomp_rules[i]->name) : share[i] > 0;
}

/* The last that can be tried gets all that is left. */
static bool is_last(const EngineTask *task, const System *s, unsigned i) {
    while (++i < REDCOMP_RULES)
        if (is_wanted(task, i) && redcomp_rules[i]->applies(s)) return false;
    return true;
}

static Verdict *run_rules(const EngineTask *task, Prepared *prepared, double deadline) {
    Verdict *first = NULL;
    for (unsigned i = 0; i < REDCOMP_RULES; i++) {
        double left = deadline - clock_seconds();
        if (!is_wanted(task, i) || !redcomp_rules[i]->applies(prepared->system) || left < 0.1) continue;
        RuleTask t = {task, prepared, clock_seconds() + (is_last(task, prepared->system, i) ? left : share[i] * left)};
        Verdict *v = redcomp_rules[i]->run(&t);
        if (v->kind != VERDICT_UNKNOWN) {
            verdict_free(first);
            return v;
        }
        if (first) verdict_note(first, "%s", v->reason);
        if (first) verdict_free(v);
        else first = v;
    }
    if (first) return first;
    return verdict_unknown((Position){0}, task->rule ? "redcomp: the rule %s is for a number of threads that is known" : "redcomp: no time was left for a proof rule", task->rule);
}

/* Those of one task want the same. */
static RuleBlocks blocks_wanted(const EngineTask *task) {
    unsigned i = 0;
    while (!is_wanted(task, i)) i++;
    return task->no_reduction ? BLOCKS_NONE : redcomp_rules[i]->blocks;
}

/* Without reduction, no two actions are one step either. */
static Verdict *prepare_for(const EngineTask *task, Prepared *prepared, bool integers) {
    RuleBlocks wanted = blocks_wanted(task);
    bool fine = task->fine_steps || wanted == BLOCKS_NONE;
    Verdict *v = (fine ? prepare_fine : prepare)(prepared, task->program, integers, "redcomp");
    if (v) return v;
    if (task->progress) task->progress(task->context, "redcomp: movers and blocks");
    prepare_blocks(prepared, wanted != BLOCKS_NONE, task->stats);
    if (wanted == BLOCKS_ANY) prepare_longer_blocks(prepared, task->stats);
    return NULL;
}

static Verdict *attempt(const EngineTask *task, double deadline, bool integers) {
    Prepared prepared;
    Verdict *v = prepare_for(task, &prepared, integers);
    if (!v) v = run_rules(task, &prepared, deadline);
    prepared_release(&prepared);
    return v;
}

static Verdict *run(const EngineTask *task) {
    double start = clock_seconds(), deadline = start + task->budget.seconds;
    Verdict *v = attempt(task, deadline, task->arith != ARITH_BV);
    if (task->arith != ARITH_AUTO || v->kind != VERDICT_UNKNOWN || clock_seconds() - start > task->budget.seconds / 2) return v;
    Verdict *again = attempt(task, deadline, false);
    if (again->kind == VERDICT_UNKNOWN) {
        verdict_free(again);
        return v;
    }
    verdict_free(v);
    return again;
}

void redcomp_dump(const Program *program, const char *rule, bool blocks, Buf *out) {
    EngineTask task = {.program = program, .rule = rule};
    Prepared w;
    Verdict *v = prepare_for(&task, &w, true);
    if (v) buf_printf(out, "%s\n", v->reason);
    if (!v && blocks) blocks_print(out, w.system, w.movers, w.blocks);
    for (unsigned i = 0; i < REDCOMP_RULES && !v && !blocks; i++) {
        if (!is_wanted(&task, i) || !redcomp_rules[i]->applies(w.system)) continue;
        redcomp_rules[i]->dump(&(RuleTask){.engine = &task, .prepared = &w}, out);
        break;
    }
    verdict_free(v);
    prepared_release(&w);
}

static bool supports(Property p) { return p == PROPERTY_UNREACH_CALL; }

const Engine engine_redcomp = {"redcomp", "reduction to blocks, Horn clauses; proves programs with unbounded data", supports, run};
