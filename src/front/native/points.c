/* SPDX-License-Identifier: Apache-2.0 */
/* The points of the program: what its code calls, but for the primitives of the models. */
#include "runtime.h"
#include <stdlib.h>
#include <string.h>

extern const uint64_t __heddle_answers[];
extern const unsigned __heddle_nanswers;

/* ---- accesses ---- */

static _Thread_local struct {
    const HeddleTurn *turn;
    void *address;
    unsigned size, flags;
    uint64_t saved[2];
} seen;

void __heddle_at(unsigned at) { origin = at; }

void __heddle_access(unsigned at, void *address, unsigned size, unsigned flags) {
    seen.turn = arrive(at, address, size, flags);
    seen.address = address;
    seen.size = size;
    seen.flags = flags;
    const HeddleTurn *t = seen.turn;
    uint64_t value[2] = {t ? t->low : 0, t ? t->high : 0};
    if (!t || t->size != size) return;
    if (t->flags & TURN_CHOSEN) memcpy(address, value, size);
    if (!(t->flags & TURN_SERVED) || t->flags & TURN_ADDRESS) return;
    memcpy(seen.saved, address, size);
    memcpy(address, value, size);
}

static bool is_zero(const char *bytes, size_t n) {
    while (n && !bytes[n - 1]) n--;
    return n == 0;
}

static void check_value(const HeddleTurn *t) {
    if (!(t->flags & TURN_VALUE) || t->size != seen.size) return;
    if (t->flags & TURN_SERVED) {
        if (!(t->flags & TURN_ADDRESS)) memcpy(seen.address, seen.saved, t->size);
        return;
    }
    uint64_t value[2] = {t->low, t->high}, there[2] = {0};
    memcpy(there, seen.address, t->size);
    bool same = !memcmp(value, there, t->size);
    if (t->flags & TURN_ADDRESS) same = is_zero((char *)value, t->size) == is_zero((char *)there, t->size);
    if (same) return;
    say("heddle: diverged at step %u: thread %u finds 0x%llx, not 0x%llx%s%s\n", t->step, self->number, (unsigned long long)there[0],
        (unsigned long long)value[0], t->story ? ": " : "", t->story ? t->story : "");
    _exit(EXIT_DIVERGED);
}

void __heddle_accessed(void) {
    const HeddleTurn *t = seen.turn;
    seen.turn = NULL;
    if (!t) return;
    check_value(t);
    go_on();
}

/* The bytes of a turn that reads, and writes, part of what is copied; value: for all, or NULL. */
static void copy_part(const HeddleTurn *t, char *to, const char *from, char *between, bool *there, size_t size, const int *value) {
    bool seen_writes = t->flags & TURN_WRITES; /* of this copy: else nobody else sees them */
    size_t reads = (uint32_t)t->low, read_at = (size_t)(t->low >> 32), writes = (uint32_t)t->high, write_at = (size_t)(t->high >> 32);
    for (size_t i = read_at; i < read_at + reads && i < size && from; i++) {
        between[i] = from[i];
        there[i] = true;
        if (!seen_writes) to[i] = from[i];
    }
    for (size_t i = write_at; i < write_at + writes && i < size; i++) to[i] = value ? (char)*value : there[i] ? between[i] : from[i];
}

static const HeddleTurn *next_piece(const HeddleTurn *t) {
    for (const HeddleTurn *n = t + 1; n < schedule->turns + schedule->nturns; n++)
        if (n->thread == self->number) return n->flags & TURN_PIECE ? n : NULL;
    return NULL;
}

/* Others may take steps between the pieces. What is not seen is copied in the end. */
static void copy_pieces(const HeddleTurn *t, char *to, const char *from, size_t size, const int *value) {
    char *between = calloc(size + 1, 1);
    bool *there = calloc(size + 1, sizeof *there);
    if (!between || !there) DIVERGED("out of memory");
    for (; t; t = next_piece(t)) {
        while (&schedule->turns[now] != t) {
            pass_on();
            sleep_until_called();
        }
        describe(t);
        copy_part(t, to, from, between, there, size, value);
        self->copies = next_piece(t) != NULL;
        take_turn();
    }
    free(between);
    free(there);
}

static void copy(unsigned at, char *to, const char *from, size_t size, const int *value) {
    const HeddleTurn *t = arrive_at(at, to, size, from ? POINT_READS | POINT_WRITES : POINT_WRITES, true);
    uint64_t chosen[2] = {t ? t->low : 0, t ? t->high : 0};
    if (t && t->flags & TURN_CHOSEN && from && t->size == size) memcpy((void *)(uintptr_t)from, chosen, size);
    if (t && t->flags & TURN_PARTS) copy_pieces(t, to, from, size, value);
    else if (value) memset(to, *value, size);
    else memmove(to, from, size);
    if (t) go_on();
}

void __heddle_set(unsigned at, void *to, uint64_t byte, uint64_t size) { copy(at, to, NULL, size, &(int){(int)byte}); }
void __heddle_move(unsigned at, void *to, const void *from, uint64_t size) { copy(at, to, from, size, NULL); }

/* ---- calls ---- */

uint64_t context_of_call(uint64_t outer, unsigned at) {
    uint64_t x = (outer + 1) * 0x9e3779b97f4a7c15u + at;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

uint64_t __heddle_enter(unsigned at) {
    uint64_t outer = context;
    context = context_of_call(context, at);
    return outer;
}

void __heddle_leave(uint64_t outer) { context = outer; }

void call_hook(void (*hook)(void), unsigned at) {
    uint64_t outer = __heddle_enter(at);
    hook();
    __heddle_leave(outer);
}

uint64_t __heddle_answer(unsigned at) {
    for (unsigned i = 0; i < __heddle_nanswers; i++)
        if (__heddle_answers[2 * i] == context && __heddle_answers[2 * i + 1] >> 32 == at) return (uint32_t)__heddle_answers[2 * i + 1];
    return 0;
}

/* ---- inputs ---- */

static const HeddleInput *find_input(const HeddleInput *list, unsigned n, unsigned *next, unsigned at, bool from_loop) {
    for (unsigned i = *next; i < n; i++) {
        if (list[i].thread != self->number || list[i].origin != at || list[i].context != context) continue;
        if (from_loop && list[i].step < schedule->loop_step) continue;
        *next = i + 1;
        return &list[i];
    }
    return NULL;
}

/* What does not end goes on with the inputs of the loop. */
static const HeddleInput *take_input(const HeddleInput *list, unsigned n, unsigned *next, unsigned at) {
    const HeddleInput *in = find_input(list, n, next, at, false);
    unsigned start = 0;
    if (in || schedule->end != END_ENDLESS) return in;
    in = find_input(list, n, &start, at, true);
    if (in) *next = start;
    return in;
}

uint64_t __heddle_input(unsigned at) {
    const HeddleInput *in = take_input(schedule->inputs, schedule->ninputs, &self->next_input, at);
    return in ? in->value : 0;
}

/* A variable that is not initialised holds what it is found to hold. */
void __heddle_variable(unsigned at, void *variable, unsigned size) {
    const HeddleInput *in = take_input(schedule->variables, schedule->nvariables, &self->next_variable, at);
    if (in) memcpy(variable, &in->value, size < sizeof in->value ? size : sizeof in->value);
}

/* ---- where the execution ends ---- */

_Noreturn void __heddle_error(const char *what) {
    if (self->next != NO_TURN) DIVERGED("thread %u comes to an error too early: %s", self->number, what);
    if (self->number != schedule->thread) stop();
    if (schedule->end == END_LEAK) __heddle_halt(); /* who violates an assertion ends the process */
    await_end();
    if (schedule->end != END_ERROR) DIVERGED("thread %u comes to an error: %s", self->number, what);
    fail_as_told();
}

_Noreturn void __heddle_assert(const char *expression) { __heddle_error(expression); }

_Noreturn void __heddle_halt(void) {
    if (self->next != NO_TURN) DIVERGED("thread %u ends the process too early", self->number);
    if (self->number != schedule->thread) stop();
    await_end();
    if (schedule->end == END_LEAK && lost_blocks()) fail_as_told();
    DIVERGED("the process ends");
}

_Noreturn void __heddle_finish(int quick) {
    unsigned at = origin;
    call_hook(quick ? __heddle_hook_quick_exit : __heddle_hook_exit, at);
    if (!quick) call_hook(__heddle_hook_destructors, at);
    __heddle_halt();
}

void __heddle_require(uint64_t condition) {
    while (!condition && schedule->end == END_ENDLESS) continue; /* so do the bodies of such functions */
    if (!condition) __heddle_halt();
}

_Noreturn void __heddle_unsupported(const char *what) { DIVERGED("%s is not modelled", what); }

void __heddle_over(const char *what) { (void)what; }

void __heddle_await(_Bool condition) {
    if (condition) return;
    if (self->next == NO_TURN) rest();
    wait_for_ever("something");
}

void __heddle_assume(_Bool condition) { __heddle_await(condition); }

void __heddle_convert(int conversion) {
    (void)conversion;
    DIVERGED("what scanf stores is not served");
}
