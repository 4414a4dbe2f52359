/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the passes from weak memory models to sequential consistency.

   requires  a program whose memory is weak
   ensures   the program's memory is sequentially consistent, and traces have a way back; after plain-atomics, no access is weaker than seq_cst
   breaks    nothing

   The passes as-sc and plain-atomics omit executions, so a proof about their program needs a lemma (strategy/lemmas.h). The pass store-buffers
   omits executions in which more stores wait than a buffer holds: the program stops there (Chain.buffers_overflow). The pass
   robustness-monitor makes a program whose errors show that some execution is not sequentially consistent; it has no way back. */
#include "passes/program/weak_memory.h"
#include "ir/copy.h"
#include "passes/messages.h"
#include "passes/program/robustness_monitor.h"
#include "passes/program/store_buffers.h"
#include "passes/program/mhp.h"

/* Returns the delays of the settings, or new ones if these have none. *own is what the caller must free, or NULL. */
static const StoreDelays *delays_of(const Chain *p, StoreDelays **own) {
    *own = p->settings.delays ? NULL : mhp_delays(p->program);
    return *own ? *own : p->settings.delays;
}

static PassResult refuse(Chain *p, StoreDelays *own, const char *why) {
    if (own) delays_free(own);
    buf_text(&p->why, why);
    return PASS_REFUSED;
}

/* ---- fences ---- */

static void fence_behind(Program *p, const FencePlace *at) {
    ensure(at->template_ < vec_len(p->templates) && at->store < vec_len(p->templates[at->template_]->actions));
    Template *t = p->templates[at->template_];
    Position position = t->actions[at->store].position;
    unsigned target = t->actions[at->store].target, between = template_location(p, t, LOCATION_PLAIN, position);
    Action *fence = template_action(p, t, between, target, expr_bool(p->exprs, true), position);
    vec_push(fence->instrs, ((Instr){.kind = INSTR_FENCE, .order = ORDER_SEQ_CST, .position = position}));
    t->actions[at->store].target = between;
    t->locations[between].function = t->locations[target].function;
    template_mark_loops(t);
}

PassResult run_fence(Chain *p) {
    for (size_t i = 0; i < vec_len(p->settings.fences); i++) fence_behind(p->program, &p->settings.fences[i]);
    return PASS_DONE;
}

/* ---- sequential consistency ---- */

PassResult run_plain_atomics(Chain *p) {
    program_each_instr(Instr, i, p->program)
        if (instr_is_weak(i)) i->atomic = i->failing = false, i->order = ORDER_SEQ_CST;
    return PASS_DONE;
}

/* A trace under C11 needs no way back: without reads-from edges, the replay treats it as sequentially consistent (check/replay.h). */
PassResult run_as_sc(Chain *p) {
    if (memory_is_buffered(p->program->memory)) {
        StoreDelays *own;
        const StoreDelays *delays = delays_of(p, &own);
        Program *before = p->program;
        p->program = program_copy(before);
        stores_read_values(p->program, delays);
        vec_push(p->ways_back, stores_way_back(before, delays, own));
    }
    p->program->memory = MEMORY_SC;
    return PASS_DONE;
}

/* ---- store buffers ---- */

PassResult run_store_buffers(Chain *p) {
    StoreDelays *own;
    Program *before = p->program;
    BufferedProgram b = add_store_buffers(before, delays_of(p, &own), p->settings.buffers ? p->settings.buffers : SHALLOW_BUFFER);
    if (!b.program) return refuse(p, own, MSG_PASSES_BUFFERS_LARGE);
    p->program = b.program;
    p->buffers_overflow = b.full;
    vec_push(p->ways_back, buffers_way_back(b, before, own));
    return PASS_DONE;
}

/* ---- robustness ---- */

/* Leaves no way back: an error of the new program is not an execution of the old one. */
PassResult run_robustness_monitor(Chain *p) {
    StoreDelays *own;
    Program *made = robustness_monitor(p->program, delays_of(p, &own));
    if (!made) return refuse(p, own, MSG_PASSES_MONITOR_ACCESS);
    if (own) delays_free(own);
    program_free(p->program);
    p->program = made;
    return PASS_DONE;
}
