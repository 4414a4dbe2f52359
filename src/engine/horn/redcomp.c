/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `redcomp` proves programs by reduction and Horn clauses (Popeea, Rybalchenko and Wilhelm, "Reduction for Compositional Verification of
   Multi-Threaded Programs"; doc/rules.md).

   The passes make a system of the program, and find its movers and blocks. A proof rule makes Horn clauses from the blocks; each
   rule has a file in this folder. A solution of the clauses is a proof. With the rule product, a refutation is a schedule.

   We deviate: the paper has one rule for safety (redsafety.c), and we try several rules in turn. */
#include "base/clock.h"
#include "engine/horn/rule.h"
#include "engine/messages.h"
#include "passes/program/program_passes.h"

/* ---- the rules ---- */

/* In the order of HornRule. */
const Rule *const redcomp_rules[REDCOMP_RULES] = {&rule_product, &rule_modular, &rule_pairs, &rule_redsafety, &rule_reachenv};

/* A turn of a rule. The rule gets a share of the time that is left when its turn comes, and at most `most` seconds. The product comes first,
   since it decides most programs. The modular rules then get a short turn before a long one. For termination, the modular rule comes first if there
   are MANY_TO_RANK threads, since their product is large. */
typedef struct Turn {
    const Rule *rule;
    double share, most;
    bool only_by_name; /* only if the option --rule names it */
} Turn;

static const Turn turns[] = {
    {&rule_product, 0.7, 1e9, false}, {&rule_modular, 0.5, 6, false},  {&rule_pairs, 0.5, 15, false},  {&rule_modular, 0.4, 1e9, false},
    {&rule_pairs, 1.0, 1e9, false},   {&rule_redsafety, 1, 1e9, true}, {&rule_reachenv, 1, 1e9, true}, {&rule_each, 0.2, 10, false},
    {&rule_ranking, 0.7, 1e9, false}, {&rule_each, 1.0, 1e9, false},
};
enum { TURNS = sizeof turns / sizeof *turns, FIRST_EACH = TURNS - 3, MANY_TO_RANK = 4 };

static unsigned threads_of(const Program *p) {
    unsigned n = 0;
    for (size_t t = 0; t < vec_len(p->templates); t++) n += p->templates[t]->count;
    return n;
}

/* True if the property and the option --rule select the turn. The rule name `modular` selects the rule for two threads at a time, too. */
static bool is_wanted(const EngineTask *task, unsigned turn) {
    HornRule rule = task->options.rule;
    bool ends = task->question->property == PROPERTY_TERMINATION;
    if (turn == FIRST_EACH && (rule == HORN_ROUNDS || threads_of(task->program) < MANY_TO_RANK)) return false;
    if (rule == HORN_ROUNDS) rule = HORN_AUTO; /* `rounds` only selects a method of the rule ranking */
    bool of_ends = turns[turn].rule == &rule_ranking || turns[turn].rule == &rule_each;
    if (ends || of_ends) return ends && of_ends;
    if (rule == HORN_MODULAR && turns[turn].rule == &rule_pairs) return true;
    return rule ? redcomp_rules[rule - 1] == turns[turn].rule : !turns[turn].only_by_name;
}

typedef struct Course {
    const EngineTask *task;
    Chain *prepared;
    bool no_proof[TURNS]; /* by turn: its rule can find no proof, however much time it gets */
} Course;

/* True if the turn is wanted, its rule applies, and no earlier turn has shown that the rule has no proof. */
static bool may_run(const Course *a, unsigned turn) {
    if (!is_wanted(a->task, turn) || !turns[turn].rule->applies(a->prepared->system)) return false;
    for (unsigned i = 0; i < turn; i++)
        if (a->no_proof[i] && turns[i].rule == turns[turn].rule) return false;
    return true;
}

static bool is_last(const Course *a, unsigned turn) {
    while (++turn < TURNS)
        if (may_run(a, turn)) return false;
    return true;
}

/* Adds a note for each STOP, since a construct that is not modelled may be the reason why no proof is found. */
static void note_stops(const System *s, Verdict *v) {
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t l = 0; l < vec_len(s->threads[t].locations) && system_first_instance(s, t) == t; l++) {
            const SystemLocation *at = &s->threads[t].locations[l];
            if (at->kind != LOCATION_STOP || !at->text) continue;
            if (at->position.file) verdict_note(v, MSG_ENGINE_STOP_AT, at->position.file, at->position.line, at->position.column, at->text);
            else verdict_note(v, MSG_ENGINE_STOP, at->text);
        }
}

static Verdict *run_rules(const EngineTask *task, Chain *prepared, double deadline) {
    Course a = {.task = task, .prepared = prepared};
    Verdict *first = NULL;
    for (unsigned i = 0; i < TURNS; i++) {
        double left = deadline - clock_seconds(), given = turns[i].share * left;
        if (left < 0.1 || !may_run(&a, i)) continue;
        if (is_last(&a, i)) given = left;
        else if (given > turns[i].most) given = turns[i].most;
        RuleTask t = {task, prepared, clock_seconds() + given, &a.no_proof[i]};
        Verdict *v = turns[i].rule->run(&t);
        if (v->kind != VERDICT_UNKNOWN) {
            verdict_free(first);
            return v;
        }
        if (first) verdict_note_reason(first, v);
        if (first) verdict_free(v);
        else first = v;
        if (a.no_proof[i] && turns[i].rule == &rule_product) return first; /* an execution to an error: no rule has a proof */
    }
    if (first) note_stops(prepared->system, first);
    if (first) return first;
    if (!task->options.rule || task->options.rule == HORN_ROUNDS) return verdict_unknown((Position){0}, MSG_ENGINE_RULE_TIME);
    return verdict_unknown((Position){0}, MSG_ENGINE_RULE_COUNT, redcomp_rules[task->options.rule - 1]->name);
}

/* Returns the blocks that the rules need. All rules that may run for a task need the same. */
static RuleBlocks blocks_wanted(const EngineTask *task) {
    unsigned i = 0;
    if (task->question->property == PROPERTY_TERMINATION && task->question->fair == FAIR_WEAK)
        return BLOCKS_NONE; /* rank_fair.c checks at every step which threads can step */
    while (!is_wanted(task, i)) i++;
    return task->options.reduction != REDUCTION_YES ? BLOCKS_NONE : turns[i].rule->blocks;
}

enum { SEVERAL_THREADS = 6, MANY_THREADS = 16, ANY_NUMBER = ~0 };

/* Returns the settings of the passes. Without reduction, each transition is one action. */
static PassSettings redcomp_settings(const EngineTask *task, Arithmetic arithmetic, bool count) {
    RuleBlocks wanted = blocks_wanted(task);
    return (PassSettings){.question = task->question,
                          .arithmetic = arithmetic,
                          .count = count,
                          .fine = task->fine_steps || wanted == BLOCKS_NONE,
                          .no_reduction = wanted == BLOCKS_NONE,
                          .loops = wanted == BLOCKS_ANY};
}

/* Prepares the system, and its blocks unless it has more than most_threads threads. Returns NULL, or UNKNOWN with a reason. */
static Verdict *prepare_for(const EngineTask *task, Chain *prepared, PassSettings settings, unsigned most_threads) {
    Verdict *v = symbolic_prepare(task, prepared, settings, "redcomp");
    if (v || vec_len(prepared->system->threads) > most_threads) return v;
    symbolic_progress(task, "redcomp: movers and blocks");
    prepare_blocks(prepared, task->stats);
    return NULL;
}

/* Runs the rules with these settings. Returns NULL if the system has more than most_threads threads. */
static Verdict *attempt_with(const EngineTask *task, double deadline, PassSettings settings, unsigned most_threads) {
    Chain prepared;
    Verdict *v = prepare_for(task, &prepared, settings, most_threads);
    if (!v && vec_len(prepared.system->threads) <= most_threads) v = run_rules(task, &prepared, deadline);
    chain_free(&prepared);
    return v;
}

/* Returns the time (clock_seconds) after a share of the time until the deadline. */
static double part(double share, double deadline) { return clock_seconds() + share * (deadline - clock_seconds()); }

/* Makes a second attempt if the first verdict is UNKNOWN. Returns the first verdict if both are UNKNOWN. */
static Verdict *second_attempt(Verdict *first, const EngineTask *task, double deadline, PassSettings settings) {
    if (first->kind != VERDICT_UNKNOWN || deadline - clock_seconds() < 0.2) return first;
    Verdict *second = attempt_with(task, deadline, settings, (unsigned)ANY_NUMBER);
    bool decided = second->kind != VERDICT_UNKNOWN;
    verdict_free(decided ? first : second);
    return decided ? second : first;
}

static bool is_trivially_safe(const System *s) {
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t l = 0; l < vec_len(s->threads[t].locations); l++)
            if (s->threads[t].locations[l].kind == LOCATION_ERROR || s->threads[t].locations[l].kind == LOCATION_STOP) return false;
    return true;
}

/* Attempts a proof with the pass `final-values`, which replaces variables that no thread changes any more by their values. If no error is left
   in the system, as for threads that only read their argument, the proof is trivial. Returns SAFE or NULL. */
static Verdict *attempt_final_values(const EngineTask *task, double deadline, PassSettings settings) {
    if (!property_is_reachability(task->question->property) || threads_of(task->program) < SEVERAL_THREADS) return NULL;
    settings.final_values = settings.cut = true;
    Chain prepared;
    Verdict *v = symbolic_prepare(task, &prepared, settings, "redcomp");
    if (!v && is_trivially_safe(prepared.system)) {
        prepare_blocks(&prepared, task->stats);
        v = run_rules(task, &prepared, deadline);
    }
    chain_free(&prepared);
    if (!v || v->kind == VERDICT_SAFE) return v;
    verdict_free(v);
    return NULL;
}

/* Runs the attempts of one arithmetic. If the pass `count-steps` applies, there are attempts with and without it. The attempt without it is
   first, unless there are more than MANY_THREADS threads. */
static Verdict *attempt(const EngineTask *task, double deadline, Arithmetic arithmetic) {
    PassSettings plain = redcomp_settings(task, arithmetic, false), counting = redcomp_settings(task, arithmetic, true);
    Verdict *trivial = attempt_final_values(task, part(0.2, deadline), plain);
    if (trivial) return trivial;
    if (!count_steps_applies(task->program)) return attempt_with(task, deadline, plain, (unsigned)ANY_NUMBER);
    Verdict *v = attempt_with(task, part(0.7, deadline), plain, MANY_THREADS);
    if (v) return second_attempt(v, task, deadline, counting);
    v = attempt_with(task, part(0.4, deadline), counting, (unsigned)ANY_NUMBER);
    return second_attempt(v, task, deadline, plain);
}

/* Runs the engine. For termination under fair schedulers, it first tries to prove termination under all schedulers: that is stronger, but blocks
   make the proof easier. */
static Verdict *run(const EngineTask *task) {
    const double share = 0.3;
    if (task->question->property == PROPERTY_TERMINATION && task->question->fair == FAIR_WEAK) {
        double start = clock_seconds();
        Question unfair = *task->question;
        EngineTask any = *task, rest = *task;
        unfair.fair = FAIR_NO;
        any.question = &unfair;
        any.budget.seconds *= share;
        Verdict *v = attempt_arithmetics(&any, attempt);
        if (v->kind == VERDICT_SAFE) return v;
        verdict_free(v);
        rest.budget.seconds -= clock_seconds() - start;
        return attempt_arithmetics(&rest, attempt);
    }
    return attempt_arithmetics(task, attempt);
}

/* Prints the blocks of the program, or the Horn clauses of the first rule that --rule admits and that applies. */
static void show(const EngineTask *task, EngineView view, Buf *out) {
    Chain w;
    Verdict *v = prepare_for(task, &w, redcomp_settings(task, INTEGERS, false), (unsigned)ANY_NUMBER);
    if (v) buf_printf(out, "%s\n", v->reason);
    if (!v && view == VIEW_BLOCKS) blocks_print(out, w.system, w.movers, w.blocks);
    for (unsigned i = 0; i < TURNS && !v && view == VIEW_CLAUSES; i++) {
        if (!is_wanted(task, i) || !turns[i].rule->applies(w.system)) continue;
        turns[i].rule->dump(&(RuleTask){.engine = task, .prepared = &w}, out);
        break;
    }
    verdict_free(v);
    chain_free(&w);
}

static PassSettings settings(const EngineTask *task) { return redcomp_settings(task, first_arithmetic(task), false); }

static bool supports(Property p) { return property_is_reachability(p) || p == PROPERTY_TERMINATION; }

const Engine engine_redcomp = {
    .name = "redcomp",
    .summary = "reduces threads to blocks and solves Horn clauses; proves programs with unbounded data",
    .supports = supports,
    .errors = ERRORS_ALL,
    .systems = true,
    .run = run,
    .settings = settings,
    .show = show,
};
