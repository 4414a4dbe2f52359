/* SPDX-License-Identifier: Apache-2.0 */
/* Engines look at interleavings, in which each atomic access orders those around it and reads what was written last. Where all are seq_cst, there is a
   data race in some execution of C11 only if there is one in an interleaving. Where some are weaker, there are more executions: two threads that
   store and then load may both miss the other's store, and what no interleaving does may race.

   If locks, creation and joins keep all accesses apart there is none all the same: these order whatever atomic accesses do. Otherwise
   all executions are looked at as graphs (engine/graphs), if they are few. If one has a race, or they are too many, interleavings are tried in which nothing
   orders two accesses, though they never meet. If they are too many, what interleavings say stands, under the note that it
   is said of them, but not if some accesses are too weak to order anything. */
#include "strategy/weigh.h"
#include "base/vec.h"
#include "engine/graphs/graphs.h"
#include "ir/copy.h"
#include "strategy/unordered.h"

static bool is_weak(const Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            const Action *x = &p->templates[t]->actions[a];
            for (size_t i = 0; i < vec_len(x->instrs); i++)
                if (instr_is_weak(&x->instrs[i])) return true;
        }
    return false;
}

/* What C11 says, if it can be told soon. */
static Verdict *ask_graphs(const EngineTask *task) {
    enum { SOON = 4 };
    EngineTask x = *task;
    Program *p = program_copy(task->program);
    p->memory = MEMORY_C11;
    x.program = p;
    if (x.budget.seconds > SOON) x.budget.seconds = SOON;
    return graphs_run(&x);
}

Verdict *weigh(const EngineTask *task, bool idle, Verdict *v) {
    const Program *p = task->program;
    if (!v || v->kind != VERDICT_SAFE || task->question->property != PROPERTY_NO_DATA_RACE || idle || p->memory != MEMORY_SC || !is_weak(p))
        return v;
    Verdict *all = ask_graphs(task), *race = NULL;
    if (all->kind == VERDICT_SAFE) {
        verdict_note(v, "under C11 (RC11): all executions were looked at, none has a data race");
        return v;
    }
    Position unordered = program_unordered(p);
    if (unordered.file) race = unordered_hunt(task);
    if (race) return race;
    Verdict *weak = NULL;
    if (all->race) weak = all;
    else if (unordered.file)
        weak = verdict_unknown(unordered, "there is no data race if every atomic access acquires and releases; this one does not");
    if (weak) weak->cause = CAUSE_WEAK;
    return weak ? weak : v;
}
