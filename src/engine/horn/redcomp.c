/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `redcomp`: reduction to blocks, then Horn clauses. The program is prepared (one template per thread,
   memory as variables, integers where possible), its movers and blocks are found, and a rule (one file each in this folder)
   turns it into clauses for Spacer. A solution becomes a proof, a refutation a schedule. */
#include "base/clock.h"
#include "engine/horn/rule.h"
#include "passes/program/program_passes.h"

/* ---- the rules ---- */

/* In the order of HornRule. */
const Rule *const redcomp_rules[REDCOMP_RULES] = {&rule_product, &rule_modular, &rule_pairs, &rule_redsafety, &rule_reachenv};

/* Turns: of the time that is left when it comes, a share, and so many seconds at most. What is quick comes first; the product, where there is one, decides most. */
typedef struct Turn {
    const Rule *rule;
    double share, most;
    bool asked; /* only if it is asked for */
} Turn;

static const Turn turns[] = {
    {&rule_product, 0.7, 1e9, false}, {&rule_modular, 0.5, 6, false},   {&rule_pairs, 0.5, 15, false},
    {&rule_modular, 0.4, 1e9, false}, {&rule_pairs, 1.0, 1e9, false},   {&rule_redsafety, 1, 1e9, true},
    {&rule_reachenv, 1, 1e9, true},   {&rule_ranking, 0.7, 1e9, false}, {&rule_each, 1.0, 1e9, false},
};
enum { TURNS = sizeof turns / sizeof *turns };

/* Invariants of two threads at a time are modular, too. */
static bool is_wanted(const EngineTask *task, unsigned turn) {
    HornRule rule = task->options.rule;
    bool ends = task->question->property == PROPERTY_TERMINATION;
    if (rule == HORN_ROUNDS) rule = HORN_AUTO; /* it says how the rule ranking ranks */
    bool of_ends = turns[turn].rule == &rule_ranking || turns[turn].rule == &rule_each;
    if (ends || of_ends) return ends && of_ends;
    if (rule == HORN_MODULAR && turns[turn].rule == &rule_pairs) return true;
    return rule ? redcomp_rules[rule - 1] == turns[turn].rule : !turns[turn].asked;
}

typedef struct Course {
    const EngineTask *task;
    Chain *prepared;
    bool no_proof[TURNS]; /* by the rule of that turn */
} Course;

/* It may still find a proof, if it is given time. */
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

/* Rules that do not say what stands in the way of a proof: perhaps it is what is not modelled. */
static void note_stops(const System *s, Verdict *v) {
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t l = 0; l < vec_len(s->threads[t].locations) && system_first_twin(s, t) == t; l++) {
            const SystemLocation *at = &s->threads[t].locations[l];
            if (at->kind != LOCATION_STOP || !at->text) continue;
            if (at->position.file)
                verdict_note(v, "%s:%u:%u: not modelled: %s", at->position.file, at->position.line, at->position.column, at->text);
            else verdict_note(v, "not modelled: %s", at->text);
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
        if (a.no_proof[i] && turns[i].rule == &rule_product) return first; /* an execution, of which the others know no more */
    }
    if (first) note_stops(prepared->system, first);
    if (first) return first;
    if (!task->options.rule || task->options.rule == HORN_ROUNDS)
        return verdict_unknown((Position){0}, "redcomp: no time was left for a proof rule");
    return verdict_unknown((Position){0}, "redcomp: the rule %s is for a number of threads that is known",
                           redcomp_rules[task->options.rule - 1]->name);
}

/* Those of one task want the same. */
static RuleBlocks blocks_wanted(const EngineTask *task) {
    unsigned i = 0;
    if (task->question->property == PROPERTY_TERMINATION && task->question->fair == FAIR_WEAK)
        return BLOCKS_NONE; /* who can step is asked at every step */
    while (!is_wanted(task, i)) i++;
    return task->options.reduction != REDUCTION_YES ? BLOCKS_NONE : turns[i].rule->blocks;
}

enum { SEVERAL_THREADS = 6, MANY_THREADS = 16, ANY_NUMBER = ~0 };

/* Without reduction, no two actions are one step either. */
static PassSettings redcomp_settings(const EngineTask *task, Arithmetic arithmetic, bool count) {
    RuleBlocks wanted = blocks_wanted(task);
    return (PassSettings){.question = task->question,
                          .arithmetic = arithmetic,
                          .count = count,
                          .fine = task->fine_steps || wanted == BLOCKS_NONE,
                          .no_reduction = wanted == BLOCKS_NONE,
                          .loops = wanted == BLOCKS_ANY};
}

/* NULL: prepared, unless there are more threads than that. */
static Verdict *prepare_for(const EngineTask *task, Chain *prepared, PassSettings settings, unsigned most_threads) {
    Verdict *v = symbolic_prepare(task, prepared, settings, "redcomp");
    if (v || vec_len(prepared->system->threads) > most_threads) return v;
    symbolic_progress(task, "redcomp: movers and blocks");
    prepare_blocks(prepared, task->stats);
    return NULL;
}

/* NULL: there are more threads than that. */
static Verdict *attempt_with(const EngineTask *task, double deadline, PassSettings settings, unsigned most_threads) {
    Chain prepared;
    Verdict *v = prepare_for(task, &prepared, settings, most_threads);
    if (!v && vec_len(prepared.system->threads) <= most_threads) v = run_rules(task, &prepared, deadline);
    chain_free(&prepared);
    return v;
}

static double part(double share, double deadline) { return clock_seconds() + share * (deadline - clock_seconds()); }

/* Once more, if the first verdict is not the last. (If neither decides, the first tells why.) */
static Verdict *better(Verdict *first, const EngineTask *task, double deadline, PassSettings settings) {
    if (first->kind != VERDICT_UNKNOWN || deadline - clock_seconds() < 0.2) return first;
    Verdict *second = attempt_with(task, deadline, settings, (unsigned)ANY_NUMBER);
    bool decided = second->kind != VERDICT_UNKNOWN;
    verdict_free(decided ? first : second);
    return decided ? second : first;
}

static unsigned threads_of(const Program *p) {
    unsigned n = 0;
    for (size_t t = 0; t < vec_len(p->templates); t++) n += p->templates[t]->count;
    return n;
}

static bool nothing_to_reach(const System *s) {
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t l = 0; l < vec_len(s->threads[t].locations); l++)
            if (s->threads[t].locations[l].kind == LOCATION_ERROR || s->threads[t].locations[l].kind == LOCATION_STOP) return false;
    return true;
}

/* Where no error is left once it is written in what nobody changes any more: threads that only look at their argument, say. NULL: there is one. */
static Verdict *settled(const EngineTask *task, double deadline, PassSettings settings) {
    if (!property_is_reachability(task->question->property) || threads_of(task->program) < SEVERAL_THREADS) return NULL;
    settings.final_values = settings.cut = true;
    Chain prepared;
    Verdict *v = symbolic_prepare(task, &prepared, settings, "redcomp");
    if (!v && nothing_to_reach(prepared.system)) {
        prepare_blocks(&prepared, task->stats);
        v = run_rules(task, &prepared, deadline);
    }
    chain_free(&prepared);
    if (!v || v->kind == VERDICT_SAFE) return v;
    verdict_free(v);
    return NULL;
}

/* Where it may help to know how many threads there are: also with steps counted, and first so if each thread by itself
   is too much. */
static Verdict *attempt(const EngineTask *task, double deadline, Arithmetic arithmetic) {
    PassSettings plain = redcomp_settings(task, arithmetic, false), counting = redcomp_settings(task, arithmetic, true);
    Verdict *at_once = settled(task, part(0.2, deadline), plain);
    if (at_once) return at_once;
    if (!count_steps_finds(task->program)) return attempt_with(task, deadline, plain, (unsigned)ANY_NUMBER);
    Verdict *v = attempt_with(task, part(0.7, deadline), plain, MANY_THREADS);
    if (v) return better(v, task, deadline, counting);
    v = attempt_with(task, part(0.4, deadline), counting, (unsigned)ANY_NUMBER);
    return better(v, task, deadline, plain);
}

/* What ends under any scheduler ends under fair ones, and blocks make that easier to see. */
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

/* The blocks of the program, or the Horn clauses of a rule (the first that applies, if none is named). */
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
