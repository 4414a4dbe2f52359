/* SPDX-License-Identifier: Apache-2.0 */
/* What a verdict about one program means for another.

   robust            Under TSO, if nobody can notice a late store, all executions are sequentially consistent (Bouajjani, Derevenetc, Meyer,
                     ESOP 2013), however many stores wait. That nobody can is the question of another program (passes/program/robustness_monitor.h).
   data_race_free    Under RC11, if in all sequentially consistent executions accesses race only if both are seq_cst, then these are all
                     executions (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, theorem DRF). To race is to conflict without happens-before. So
                     no-data-race is asked of the program in which weaker atomics are plain: then they race too, and of what they order
                     nothing is used. Locks, creation and joins order, and so does a seq_cst access that reads what another one wrote. An
                     attempt to lock that fails orders nothing, and may fail where the mutex is free: the models see to that (turned_down).
   confirm_under_c11 Interleavings are the executions of C11 only where all atomic accesses are seq_cst. What locks, creation and joins keep
                     apart they keep apart whatever atomic accesses do. Otherwise all executions are visited as graphs, if they are few. If
                     one has a race, or they are too many, interleavings are tried in which nothing orders two accesses, though they never
                     meet. If they are too many, what interleavings say stands, but not if some accesses are too weak to order anything. */
#include "base/clock.h"
#include "check/accept.h"
#include "ir/copy.h"
#include "process/progress.h"
#include "result/property.h"
#include "strategy/situation.h"
#include <stdlib.h>

const char *memory_name(MemoryModel m) {
    static const char *const names[] = {
        [MEMORY_SC] = "sequential consistency", [MEMORY_TSO] = "TSO", [MEMORY_PSO] = "PSO", [MEMORY_C11] = "C11"};
    return names[m];
}

bool has_weak_atomics(const Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            const Instr *list = p->templates[t]->actions[a].instrs;
            for (size_t i = 0; i < vec_len(list); i++)
                if (instr_is_weak(&list[i])) return true;
        }
    return false;
}

/* Puts the lemma's certificate, under the heading `said`, before the verdict's; without: why it has none. */
static void add_certificate(Verdict *v, const char *said, const Verdict *lemma, const char *without) {
    Buf both = {0};
    if (!v->certificate) return;
    buf_text(&both, said);
    if (lemma->certificate) buf_printf(&both, "%s(reset)\n; The property:\n", lemma->certificate);
    else buf_text(&both, without);
    buf_text(&both, v->certificate);
    free(v->certificate);
    v->certificate = both.text;
}

static Verdict *instead(Verdict *v, Verdict *reason) {
    verdict_free(v);
    return reason;
}

Verdict *no_lemma(const Situation *s, Verdict *v) {
    (void)s;
    return v;
}

/* ---- TSO and PSO ---- */

Verdict *same_as_sc(const Situation *s, Verdict *v) {
    v = confirm_under_c11(s, v);
    if (v->kind == VERDICT_SAFE)
        verdict_note(v, "under %s as under sequential consistency: no store can be late in a way that others notice",
                     memory_name(s->program->memory));
    return v;
}

/* Two threads that are about to race are where they are, with what they have read; who waits for ever does so when all stores have arrived. */
static bool holds_if_robust(Property p) { return p == PROPERTY_UNREACH_CALL || p == PROPERTY_NO_DATA_RACE || p == PROPERTY_NO_DEADLOCK; }

/* A proof that nobody notices a late store; NULL: there is none. */
static Verdict *prove_robust(const Situation *s) {
    const Question reach = {.certificate = s->question->certificate};
    PassSettings settings = {.memory = MEMORY_MONITORED, .delays = s->delays};
    Route route = route_new(s->program, &reach, settings);
    Chain *monitored = route_chain(&route, false);
    progress_phase("asking whether anybody can notice that a store is late");
    Verdict *v = monitored ? answer(s->config, NULL, monitored->program, &reach, s->time) : NULL;
    if (v && v->kind != VERDICT_SAFE) v = instead(v, NULL);
    route_free(&route);
    return v;
}

static void note_robust(Verdict *v, const Verdict *lemma) {
    Buf more = {0};
    if (lemma->obligations) buf_printf(&more, "; %llu proof obligations hold", (unsigned long long)lemma->obligations);
    verdict_note(
        v, "under TSO, however many stores wait, as under sequential consistency: that nobody can notice a late store is proved, too%s",
        buf_string(&more));
    buf_free(&more);
    add_certificate(v,
                    "; Under TSO, where nobody can notice a late store, all executions are sequentially consistent (Bouajjani, "
                    "Derevenetc, Meyer: trusted).\n"
                    "; That nobody can:\n",
                    lemma, "; there is no way to, or all states were visited.\n; The property:\n");
}

Verdict *robust(const Situation *s, Verdict *v) {
    v = confirm_under_c11(s, v);
    if (v->kind != VERDICT_SAFE || v->proof == PROOF_RACE_FREE) return v; /* locks, creation and joins order whatever waits */
    bool can_be = s->program->memory == MEMORY_TSO && holds_if_robust(s->question->property);
    Verdict *lemma = can_be ? prove_robust(s) : NULL;
    if (lemma) note_robust(v, lemma);
    else
        v = instead(v,
                    verdict_unknown(s->delays->where,
                                    "the property %s is judged under %s only where no store can be late in a way that others notice; this "
                                    "one can",
                                    property_name(s->question->property), memory_name(s->program->memory)));
    verdict_free(lemma);
    return v;
}

/* ---- C11 ---- */

/* Where the thread that takes step n from the end is then. */
static Position position_of(const Program *p, const Trace *t, size_t n) {
    unsigned *templates = NULL; /* by thread number */
    Position at = {0};
    vec_push(templates, 0);
    vec_push(templates, 0);
    for (size_t i = 0; i + n <= vec_len(t->steps); i++) {
        const TraceStep *s = &t->steps[i];
        const Action *a = &p->templates[templates[s->thread]]->actions[s->action];
        for (size_t k = 0; k < vec_len(a->instrs); k++)
            if (a->instrs[k].kind == INSTR_CREATE) vec_push(templates, a->instrs[k].template_);
        at = a->position;
    }
    vec_free(templates);
    return at;
}

static Position lasting(const Program *p, Position at) {
    if (at.file) at.file = exprs_intern(p->exprs, at.file);
    return at;
}

/* SAFE: nothing races but seq_cst atomics. */
static Verdict *find_races(const Situation *s) {
    Question races = *s->question;
    races.property = PROPERTY_NO_DATA_RACE;
    races.known = NULL;
    progress_phase("looking for what races under sequential consistency");
    Program *p = loaded_program(s->loaded, &races, NULL);
    PassSettings settings = {.memory = MEMORY_PLAIN_SC};
    Route route = route_new(p, &races, settings);
    Chain *plain = route_chain(&route, false);
    Verdict *v = plain ? answer(s->config, NULL, plain->program, &races, s->time) : route_refusal(&route);
    if (v->kind == VERDICT_UNSAFE && vec_len(v->trace->steps) >= 2) {
        Position first = position_of(plain->program, v->trace, 2), second = position_of(plain->program, v->trace, 1);
        v = instead(v, verdict_unknown(lasting(s->program, second),
                                       "this access and that of line %u race, and are not both seq_cst atomics", first.line));
    }
    v->position = lasting(s->program, v->position);
    route_free(&route);
    program_free(p);
    return v;
}

static void note_same(Verdict *v) {
    verdict_note(v, "under C11 (RC11) as under sequential consistency: no two accesses race, but for seq_cst atomics");
}

Verdict *data_race_free(const Situation *s, Verdict *v) {
    Verdict *races = find_races(s);
    if (races->kind == VERDICT_SAFE && v) {
        if (v->kind == VERDICT_SAFE) note_same(v);
        add_certificate(v,
                        "; Under C11, where nothing races but seq_cst atomics, all executions are sequentially consistent (RC11, DRF "
                        "theorem: trusted).\n"
                        "; That nothing else races:\n",
                        races, "; it was proved by locks, creation and joins, or by visiting all states.\n; The property:\n");
        verdict_free(races);
        return v;
    }
    if (races->kind == VERDICT_SAFE) note_same(races);
    else if (v && s->question->property != PROPERTY_UNREACH_CALL)
        races = instead(races, verdict_unknown(races->position,
                                               "the property %s is judged under C11 only where nothing races but seq_cst atomics: %s",
                                               property_name(s->question->property), races->reason));
    verdict_free(v);
    return races;
}

/* ---- races of interleavings ---- */

enum { SOON = 4 }; /* seconds */

/* What an engine says of the program by itself, in a process, for some seconds. */
static Verdict *run_alone(const Situation *s, const Program *p, const Engine *e, double most) {
    MemoryForm form = e->memory == p->memory ? MEMORY_AS_IS : MEMORY_AS_SC;
    Route route = route_new(p, s->question, (PassSettings){.memory = form});
    Work work = {.config = s->config, .question = s->question, .route = &route, .time = slot_share(s->time, 1, most), .board = board_new()};
    Worker w = worker_new(&work, e, 0, 1);
    Verdict *v = worker_run(&w);
    route_free(&route);
    board_free(work.board);
    return v;
}

Verdict *confirm_under_c11(const Situation *s, Verdict *v) {
    const Program *p = s->program;
    if (v->kind != VERDICT_SAFE || s->question->property != PROPERTY_NO_DATA_RACE || s->no_race_asked || !has_weak_atomics(p)) return v;
    Position unordered = program_unordered(p);
    Program *weak = program_copy(p);
    weak->memory = MEMORY_C11;
    Verdict *all = run_alone(s, weak, &engine_rc11, SOON), *result = v;
    if (all->kind == VERDICT_SAFE) verdict_note(v, "under C11 (RC11): all executions were looked at, none has a data race");
    else if (unordered.file) {
        Verdict *race = run_alone(s, p, &engine_unordered, 2 * SOON);
        if (race->kind != VERDICT_UNSAFE) {
            race = instead(race, all->race ? verdict_unknown(lasting(p, all->position), "%s", all->reason)
                                           : verdict_unknown(unordered, "there is no data race if every atomic access acquires and "
                                                                        "releases; this one does not"));
            race->cause = REASON_WEAK;
        }
        result = instead(v, race);
    } else if (all->race) {
        result = instead(v, verdict_unknown(lasting(p, all->position), "%s", all->reason));
        result->cause = REASON_WEAK;
    }
    verdict_free(all);
    program_free(weak);
    return result;
}

Verdict *races_under_sc(const Situation *s, Verdict *v) {
    if (v->kind == VERDICT_UNSAFE || v->proof == PROOF_RACE_FREE) return v;
    v = instead(v, verdict_unknown((Position){0},
                                   "there is no data race under sequential consistency; there are other executions, unless only seq_cst "
                                   "atomics race"));
    Verdict *race = program_unordered(s->program).file ? run_alone(s, s->program, &engine_unordered, 2 * SOON) : NULL;
    if (race && race->kind == VERDICT_UNSAFE) return instead(v, race);
    verdict_free(race);
    return v;
}
