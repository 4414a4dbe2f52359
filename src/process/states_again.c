/* SPDX-License-Identifier: Apache-2.0 */
#include "process/states_again.h"
#include "process/messages.h"

bool states_need_check(const Engine *engine, const Program *p, const Verdict *v) {
    return engine == &engine_explicit && p->memory != MEMORY_C11 && v->kind == VERDICT_SAFE && v->proof == PROOF_EXHAUSTED;
}

EngineTask states_check_task(const EngineTask *first, const Verdict *claim, Stats *stats) {
    const double at_once = 1;
    EngineTask task = *first;
    task.claimed_states = claim->states ? claim->states : 1;
    task.seed++;
    task.budget.extra_seconds = NULL;
    task.budget.seconds /= 2;
    if (claim->states <= STATES_AT_ONCE && task.budget.seconds > at_once) task.budget.seconds = at_once;
    task.progress = NULL;
    task.stats = stats;
    return task;
}

Verdict *states_confirm(Verdict *claim, Verdict *second) {
    bool violated = second && second->kind == VERDICT_UNSAFE;
    if (violated) verdict_note(second, MSG_PROCESS_FIRST_SEARCH_WRONG);
    else claim->checked = second && second->kind == VERDICT_SAFE;
    verdict_free(violated ? claim : second);
    return violated ? second : claim;
}
