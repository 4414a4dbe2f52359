/* SPDX-License-Identifier: Apache-2.0 */
/* Tries the plans of plans.def that apply, in their order, until a plan decides the question. */
#include "strategy/strategy.h"
#include "base/clock.h"
#include "check/accept.h"
#include "ir/asserts.h"
#include "passes/program/store_buffers.h"
#include "passes/program/mhp.h"
#include "process/progress.h"
#include "result/property.h"
#include "strategy/messages.h"
#include "strategy/situation.h"

/* ---- conditions of plans ---- */

typedef bool Condition(const Situation *);

static bool always(const Situation *s) {
    (void)s;
    return true;
}

static bool no_store_is_delayed(const Situation *s) { return !s->delays->any; }
static bool some_store_is_delayed(const Situation *s) { return s->delays->any; }
static bool is_unbounded(const Situation *s) { return !s->question->has_context_bound; }
static bool delayed_without_context_bound(const Situation *s) { return s->delays->any && is_unbounded(s); }
static bool buffers_are_bounded(const Situation *s) { return delayed_without_context_bound(s) && s->buffers_bounded; }
static bool buffers_are_not_bounded(const Situation *s) { return delayed_without_context_bound(s) && !s->buffers_bounded; }
static bool has_weak_accesses(const Situation *s) { return is_unbounded(s) && has_weak_atomics(s->program); }

/* ---- the table ---- */

typedef struct Plan {
    const char *name;
    unsigned memories, properties; /* sets: bit m stands for MemoryModel m, bit p for Property p */
    Condition *applies;
    MemoryForm form;
    unsigned depth; /* the capacity of store buffers; 0 to increase it step by step */
    Lemma *lemma;
    double share, most; /* the share of the remaining time, and the bound in seconds */
} Plan;

static const Plan plans[] = {
#define PLAN(name, memories, properties, applies, form, depth, lemma, share, most) \
    {name, memories, properties, applies, form, depth, lemma, share, most},
#include "strategy/plans.def"
#undef PLAN
};
enum { PLANS = sizeof plans / sizeof *plans };

static bool applies(const Plan *plan, const Situation *s) {
    return (plan->memories >> s->program->memory & 1) && (plan->properties >> s->question->property & 1) && plan->applies(s);
}

/* ---- one plan ---- */

static Verdict *try_plan(const Plan *plan, const Situation *all) {
    Situation s = *all;
    s.time = slot_share(all->time, plan->share, plan->most);
    Route route = route_new(s.program, s.question, (PassSettings){.memory = plan->form, .buffers = plan->depth, .delays = s.delays});
    Work work = {.plan = plan->name,
                 .config = s.config,
                 .question = s.question,
                 .route = &route,
                 .deepens = plan->form == MEMORY_BUFFERED && !plan->depth,
                 .time = s.time};
    Verdict *v = plan->lemma == data_race_free && s.question->property == PROPERTY_NO_DATA_RACE ? NULL : portfolio_run(&work);
    s.statically_race_free = route.errors.is_made && !route.errors.refused && route.errors.chain.instrumented.nothing_added;
    s.time = all->time;
    route_free(&route);
    return !v || verdict_decides(v) ? plan->lemma(&s, v) : v;
}

/* ---- all ---- */

/* True if the program has no error location and no location where modelling stops, so that the property holds trivially. */
static bool is_trivial(const Program *p, const Question *q) {
    if (q->property != PROPERTY_UNREACH_CALL || q->certificate) return false;
    return !program_has(p, LOCATION_ERROR) && !program_has(p, LOCATION_STOP);
}

static Verdict *trivial(const Program *p, const Question *q) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_NOTHING;
    return accept_verdict(p, q, v, NULL, 0);
}

static bool has_bounded_buffers(const Program *p, const StoreDelays *d) {
    BufferedProgram b = add_store_buffers(p, d, DEEPEST_BUFFER);
    bool bounded = b.program && !b.full;
    buffered_free(&b);
    if (b.program) program_free(b.program);
    return bounded;
}

static bool allocates(const StoreDelays *d) {
    for (size_t t = 0; t < vec_len(d->of); t++)
        for (size_t a = 0; a < vec_len(d->of[t]); a++)
            if (d->of[t][a].weak.assumed && !d->of[t][a].is_single_threaded) return true;
    return false;
}

static void warn_of_allocation(const StoreDelays *d, Verdict *v) {
    const Position *at = &d->assuming;
    if (v->kind != VERDICT_SAFE || !d->assumed || !allocates(d)) return;
    if (at->file) verdict_warn(v, MSG_STRATEGY_ALLOCATION_AT, at->file, at->line, at->column);
    else verdict_warn(v, MSG_STRATEGY_ALLOCATION);
}

/* Returns the verdict that decides the question, and frees the other one. If no verdict decides it, the one with the more useful reason is
   kept. */
static Verdict *better(Verdict *first, Verdict *second) {
    if (!first) return second;
    bool take = verdict_decides(second) || second->cause >= first->cause;
    if (take && !verdict_decides(second)) verdict_note_reason(second, first);
    verdict_free(take ? first : second);
    return take ? second : first;
}

static Verdict *no_plan(const Situation *s) {
    const Config *c = s->config;
    if (c->engine && !c->engine->supports(s->question->property))
        return verdict_unknown((Position){0}, MSG_STRATEGY_ENGINE_PROPERTY, c->engine_name, property_name(s->question->property));
    return verdict_unknown((Position){0}, MSG_STRATEGY_PROPERTY_MEMORY, property_name(s->question->property),
                           memory_name(s->program->memory));
}

static Verdict *try_plans(const Situation *s) {
    Verdict *best = NULL;
    for (unsigned i = 0; i < PLANS && !(best && verdict_decides(best)); i++)
        if (applies(&plans[i], s)) best = better(best, try_plan(&plans[i], s));
    return best ? best : no_plan(s);
}

Verdict *answer(const Config *c, const Loaded *loaded, const Program *p, const Question *q, TimeSlot time) {
    Situation s = {.config = c, .loaded = loaded, .program = p, .question = q, .time = time};
    if (is_trivial(p, q)) return trivial(p, q);
    if (memory_is_buffered(p->memory)) s.delays = mhp_delays(p);
    if (s.delays && s.delays->any) s.buffers_bounded = has_bounded_buffers(p, s.delays);
    Verdict *v = try_plans(&s);
    if (s.delays) warn_of_allocation(s.delays, v);
    if (s.delays) delays_free(s.delays);
    return v;
}
