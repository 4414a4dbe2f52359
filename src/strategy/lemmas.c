/* SPDX-License-Identifier: Apache-2.0 */
/* Concludes from verdicts about one program to another.

   robust             Under TSO, if no thread can observe a delayed store, all executions are sequentially consistent, however many stores
                      are delayed (Bouajjani, Derevenetc, Meyer, ESOP 2013). Another program has an error where a thread can observe a
                      delayed store (passes/program/robustness_monitor.h). The lemma proves that no error is reachable there.
   data_race_free     Under RC11, assume that in all sequentially consistent executions accesses race only if both are seq_cst. Then all
                      executions are sequentially consistent (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, theorem DRF). Accesses race
                      if they conflict and happens-before does not order them. The lemma checks no-data-race of the program in which
                      weaker atomics are plain. These atomics can then race as well, and the proof does not use the orders that they
                      impose. Locks, creation and joins impose order. A seq_cst access is ordered after the seq_cst write that it reads.
                      A failed attempt to lock orders nothing. Such an attempt may fail although the mutex is free.
   confirm_under_c11  Interleavings are all executions of C11 only if all atomic accesses are seq_cst. If locks, creation and joins
                      exclude all races, they do so for any behaviour of atomic accesses. Otherwise all executions are visited as graphs.
                      SAFE stands if no graph has a race. In the other cases, some atomic accesses may be too weak to order a write
                      and a read of another thread (analysis/too_weak.h). Then a search over interleavings looks for two accesses that
                      nothing orders, even if they are never adjacent, and the answer is UNSAFE or UNKNOWN. If all atomic accesses are
                      stronger, SAFE stands, unless a graph has a race. */
#include "analysis/too_weak.h"
#include "base/clock.h"
#include "check/accept.h"
#include "ir/copy.h"
#include "process/claims.h"
#include "process/progress.h"
#include "result/property.h"
#include "strategy/messages.h"
#include "strategy/situation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *memory_name(MemoryModel m) {
    static const char *const names[] = {
        [MEMORY_SC] = MSG_STRATEGY_MEMORY_SC, [MEMORY_TSO] = "TSO", [MEMORY_PSO] = "PSO", [MEMORY_C11] = "C11"};
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

/* Puts the lemma's certificate, under the heading `said`, before the verdict's certificate. `without` is the reason why the lemma has none. */
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
    if (v->kind == VERDICT_SAFE) verdict_note(v, MSG_STRATEGY_SAME_AS_SC, memory_name(s->program->memory));
    return v;
}

/* True if the lemma applies to the property. The positions of the threads and the values that they read determine an error or a race.
   Threads wait forever after all delayed stores have arrived. */
static bool holds_if_robust(Property p) { return p == PROPERTY_UNREACH_CALL || p == PROPERTY_NO_DATA_RACE || p == PROPERTY_NO_DEADLOCK; }

/* Returns a SAFE that no thread can observe a delayed store, or NULL. */
static Verdict *prove_robust(const Situation *s) {
    const Question reach = {.certificate = s->question->certificate};
    PassSettings settings = {.memory = MEMORY_MONITORED, .delays = s->delays};
    Route route = route_new(s->program, &reach, settings);
    Chain *monitored = route_chain(&route, false);
    progress_phase("proving that no thread can observe a delayed store");
    Verdict *v = monitored ? answer(s->config, NULL, monitored->program, &reach, s->time) : NULL;
    if (v) v = accept_omissions(v, monitored->omissions);
    if (v && v->kind != VERDICT_SAFE) v = instead(v, NULL);
    route_free(&route);
    return v;
}

static void note_robust(Verdict *v, const Verdict *lemma) {
    Buf more = {0};
    if (lemma->obligations) buf_printf(&more, MSG_STRATEGY_LEMMA_OBLIGATIONS, (unsigned long long)lemma->obligations);
    verdict_note(v, MSG_STRATEGY_ROBUST, buf_string(&more));
    buf_free(&more);
    add_certificate(v,
                    "; Under TSO, if no thread can observe a delayed store, all executions are sequentially consistent (Bouajjani, "
                    "Derevenetc, Meyer: trusted).\n"
                    "; No thread can observe a delayed store:\n",
                    lemma, "; the program with the monitor has no error location, or all states were visited.\n; The property:\n");
}

Verdict *robust(const Situation *s, Verdict *v) {
    v = confirm_under_c11(s, v);
    if (v->kind != VERDICT_SAFE || v->proof == PROOF_RACE_FREE) return v; /* the proof holds for delayed stores, too */
    bool can_be = s->program->memory == MEMORY_TSO && holds_if_robust(s->question->property);
    Verdict *lemma = can_be ? prove_robust(s) : NULL;
    if (lemma) note_robust(v, lemma);
    else
        v = instead(v, verdict_unknown(s->delays->where, MSG_STRATEGY_NOT_ROBUST, property_name(s->question->property),
                                       memory_name(s->program->memory)));
    verdict_free(lemma);
    return v;
}

/* ---- C11 ---- */

/* Returns the position of step n from the end of the trace. */
static Position position_of(const Program *p, const Trace *t, size_t n) {
    unsigned *templates = NULL; /* a vec, by thread number */
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

static Position lasting_position(const Program *p, Position at) {
    if (at.file) at.file = exprs_intern(p->exprs, at.file);
    return at;
}

/* Returns SAFE if only seq_cst atomics race under sequential consistency. Returns UNKNOWN with the reason in all other cases. */
static Verdict *find_races(const Situation *s) {
    Question races = *s->question;
    races.property = PROPERTY_NO_DATA_RACE;
    races.known = NULL;
    progress_phase("searching for races under sequential consistency");
    Omission *omissions = NULL;
    Program *p = loaded_program_checked(s->loaded, &races, &omissions);
    PassSettings settings = {.memory = MEMORY_PLAIN_SC};
    Route route = route_new(p, &races, settings);
    Chain *plain = route_chain(&route, false);
    Verdict *v = plain ? answer(s->config, NULL, plain->program, &races, s->time) : route_refusal(&route);
    if (plain) v = accept_omissions(accept_omissions(v, omissions), plain->omissions);
    vec_free(omissions);
    if (v->kind == VERDICT_UNSAFE && vec_len(v->trace->steps) >= 2) {
        Position first = position_of(plain->program, v->trace, 2), second = position_of(plain->program, v->trace, 1);
        v = instead(v, verdict_unknown(lasting_position(s->program, second), MSG_STRATEGY_RACE_NOT_SC, first.line));
    }
    v->position = lasting_position(s->program, v->position);
    route_free(&route);
    program_free(p);
    return v;
}

static void note_same(Verdict *v, const Verdict *lemma) {
    char obligations[64] = "";
    if (lemma != v && lemma->obligations)
        snprintf(obligations, sizeof obligations, MSG_STRATEGY_LEMMA_OBLIGATIONS, (unsigned long long)lemma->obligations);
    verdict_note(v, MSG_STRATEGY_RACE_FREE, obligations);
}

Verdict *data_race_free(const Situation *s, Verdict *v) {
    Verdict *races = find_races(s);
    if (races->kind == VERDICT_SAFE && v) {
        if (v->kind == VERDICT_SAFE) note_same(v, races);
        add_certificate(v,
                        "; Under C11, if only seq_cst atomics race, all executions are sequentially consistent (RC11, DRF "
                        "theorem: trusted).\n"
                        "; No other accesses race:\n",
                        races, "; this was proved by locks, creation and joins, or by visiting all states.\n; The property:\n");
        verdict_free(races);
        return v;
    }
    if (races->kind == VERDICT_SAFE) note_same(races, races);
    else if (v && s->question->property != PROPERTY_UNREACH_CALL)
        races = instead(races,
                        verdict_unknown(races->position, MSG_STRATEGY_NOT_RACE_FREE, property_name(s->question->property), races->reason));
    verdict_free(v);
    return races;
}

/* ---- races of interleavings ---- */

enum { SOON = 4 }; /* seconds */

/* Returns the verdict of one engine that runs alone, in a process, for at most `most` seconds. The program may be the situation's program
   or a variant of it. */
static Verdict *run_alone(const Situation *s, const Program *p, const Engine *e, double most) {
    MemoryForm form = e->memory == p->memory ? MEMORY_AS_IS : MEMORY_AS_SC;
    Route route = route_new(p, s->question, (PassSettings){.memory = form});
    Work work = {.plan = e->name, .config = s->config, .question = s->question, .route = &route, .time = slot_share(s->time, 1, most)};
    if (s->config->claims) {
        Verdict *v = claims_check(&work);
        route_free(&route);
        return v;
    }
    work.board = board_new();
    Worker w = worker_new(&work, e, 0, 1);
    Verdict *v = worker_run(&w);
    route_free(&route);
    board_free(work.board);
    return v;
}

/* Returns true for the choice whether a creation fails. Only the question about data races has such choices (front/model/heddle.h). */
static bool chooses_failed_creation(const Instr *i) {
    const Activation *in = i->position.in;
    return i->kind == INSTR_HAVOC && i->target->sort->kind == SORT_BOOL && in && in->library && !strcmp(in->function, "lacks_threads");
}

/* Keeps only those faults at which executions of a SAFE program end that happen if every thread can be created. Keeps all of them if that is
   not known soon. */
static void ignore_failed_creations(const Situation *s, Verdict *v) {
    Program *full = program_copy_placed(s->program);
    bool found = false;
    program_each_instr(Instr, i, full) {
        if (!chooses_failed_creation(i)) continue;
        i->kind = INSTR_ASSIGN;
        i->undefined = false;
        i->value = expr_bool(full->exprs, false);
        found = true;
    }
    Verdict *all = found ? run_alone(s, full, &engine_explicit, SOON) : NULL;
    if (all && all->kind == VERDICT_SAFE) verdict_take_cut(v, all);
    verdict_free(all);
    program_free(full);
}

Verdict *confirm_under_c11(const Situation *s, Verdict *v) {
    const Program *p = s->program;
    if (v->kind == VERDICT_SAFE && v->cut && s->question->property == PROPERTY_NO_DATA_RACE) ignore_failed_creations(s, v);
    if (v->kind != VERDICT_SAFE || s->question->property != PROPERTY_NO_DATA_RACE || s->statically_race_free || !has_weak_atomics(p))
        return v;
    Position unordered = too_weak(p);
    Program *weak = program_copy(p);
    weak->memory = MEMORY_C11;
    Verdict *all = run_alone(s, weak, &engine_rc11, SOON), *result = v;
    if (all->kind == VERDICT_SAFE) {
        verdict_note(v, MSG_STRATEGY_C11_VISITED);
        add_certificate(v, "; No execution under C11 has a data race:\n", all, "");
    } else if (unordered.file) {
        Verdict *race = run_alone(s, p, &engine_unordered, 2 * SOON);
        if (race->kind != VERDICT_UNSAFE) {
            race = instead(race, all->race ? verdict_unknown(lasting_position(p, all->position), "%s", all->reason)
                                           : verdict_unknown(unordered, MSG_STRATEGY_TOO_WEAK));
            race->cause = REASON_WEAK;
        }
        result = instead(v, race);
    } else if (all->race) {
        result = instead(v, verdict_unknown(lasting_position(p, all->position), "%s", all->reason));
        result->cause = REASON_WEAK;
    } else {
        Omission *list = NULL;
        omissions_of_kinds(&list, OMITS_WEAK_ATOMICS, OMITS_WEAK_ATOMICS);
        result = accept_omissions(v, list);
        vec_free(list);
    }
    verdict_free(all);
    program_free(weak);
    return result;
}

Verdict *races_under_sc(const Situation *s, Verdict *v) {
    if (v->kind == VERDICT_UNSAFE || v->proof == PROOF_RACE_FREE) return v;
    v = instead(v, verdict_unknown((Position){0}, MSG_STRATEGY_C11_MORE));
    Verdict *race = program_first_weak_access(s->program).file ? run_alone(s, s->program, &engine_unordered, 2 * SOON) : NULL;
    if (race && race->kind == VERDICT_UNSAFE) return instead(v, race);
    verdict_free(race);
    return v;
}
