/* SPDX-License-Identifier: Apache-2.0 */
/* Passes between memory models.

   requires  a program whose memory is weak
   ensures   the program's memory is sequentially consistent; traces find their way back
   breaks    nothing

   as-sc and plain-atomics leave executions out: what is proved of their program needs a lemma (strategy/lemmas.h). buffers leaves out
   executions in which more stores wait than it has room for: they end at a location that stops (Chain.full). attack makes a program
   whose errors show that some execution is not sequentially consistent; it has no way back. */
#include "passes/program/weak_memory.h"
#include "base/die.h"
#include "base/vec.h"
#include "ir/copy.h"
#include "passes/program/attack.h"
#include "passes/program/buffers.h"
#include "passes/program/meeting.h"
#include <stdlib.h>

/* What a way back needs of the program before the pass. */
typedef struct Before {
    Program *program;
    const Delays *delays;
    Delays *own; /* the same, if they were found here */
    Buffered buffered;
} Before;

static Before *before_new(Chain *p) {
    Before *b = calloc(1, sizeof *b);
    if (!b) lack("out of memory");
    b->program = p->program;
    b->delays = p->settings.delays;
    if (!b->delays) b->delays = b->own = meeting_delays(p->program);
    return b;
}

static void before_free(void *state) {
    Before *b = state;
    for (size_t t = 0; t < vec_len(b->buffered.actions); t++) vec_free(b->buffered.actions[t]);
    vec_free(b->buffered.actions);
    if (b->own) delays_free(b->own);
    program_free(b->program);
    free(b);
}

static PassResult refuse(Chain *p, Before *b, const char *why) {
    b->program = NULL; /* it stays the chain's */
    before_free(b);
    buf_text(&p->why, why);
    return PASS_REFUSED;
}

/* ---- fences ---- */

static void fence_behind(Program *p, const FencePlace *at) {
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
    for (size_t t = 0; t < vec_len(p->program->templates); t++)
        for (size_t a = 0; a < vec_len(p->program->templates[t]->actions); a++) {
            Instr *list = p->program->templates[t]->actions[a].instrs;
            for (size_t i = 0; i < vec_len(list); i++)
                if (instr_is_weak(&list[i])) list[i].atomic = false, list[i].order = list[i].failure = ORDER_SEQ_CST;
        }
    return PASS_DONE;
}

static void trace_at_once(const void *state, Trace *t) {
    const Before *b = state;
    unbuffered_trace(b->program, b->delays, t);
}

/* A trace under C11 that says nothing of what is read from where is one under sequential consistency (check/replay.h). */
PassResult run_as_sc(Chain *p) {
    if (memory_is_buffered(p->program->memory)) {
        Before *b = before_new(p);
        p->program = program_copy(b->program);
        stores_read_values(p->program, b->delays);
        vec_push(p->back, ((WayBack){trace_at_once, before_free, b}));
    }
    p->program->memory = MEMORY_SC;
    return PASS_DONE;
}

/* ---- store buffers ---- */

static void trace_of_buffers(const void *state, Trace *t) { buffered_trace(&((const Before *)state)->buffered, t); }

PassResult run_buffers(Chain *p) {
    Before *b = before_new(p);
    b->buffered = buffers(b->program, b->delays, p->settings.buffers ? p->settings.buffers : SHALLOW_BUFFER);
    if (!b->buffered.program) return refuse(p, b, "the store buffers have too many contents to follow");
    p->program = b->buffered.program;
    p->full = b->buffered.full;
    vec_push(p->back, ((WayBack){trace_of_buffers, before_free, b}));
    return PASS_DONE;
}

/* ---- robustness ---- */

static void no_trace(const void *state, Trace *t) {
    (void)state;
    (void)t;
}

PassResult run_attack(Chain *p) {
    Before *b = before_new(p);
    Program *made = attack(b->program, b->delays);
    if (!made) return refuse(p, b, "what is accessed is not known");
    p->program = made;
    vec_push(p->back, ((WayBack){no_trace, before_free, b}));
    return PASS_DONE;
}
