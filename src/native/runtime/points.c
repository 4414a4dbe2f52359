/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the points of the program: all that its code calls except the primitives of the models. */
#include "runtime.h"
#include <stdlib.h>
#include <string.h>

extern const uint64_t __heddle_answers[];
extern const unsigned __heddle_nanswers;

/* ---- accesses ---- */

static _Thread_local struct {
    const HeddleTurn *turn;
    void *address;
    unsigned size;
    bool restore, ignored;
    uint64_t saved[2];
} seen;

void __heddle_at(unsigned at) { origin = at; }

typedef struct Copy {
    char *to;
    const char *from; /* NULL: a fill with `byte` */
    size_t size;
    char byte, *between;
    bool *read, *written; /* by byte */
    void *where;          /* the place of the call */
} Copy;

static void write_byte(Copy *c, size_t i) {
    c->to[i] = !c->from ? c->byte : c->read[i] ? c->between[i] : c->from[i];
    c->written[i] = true;
}

/* Copies the bytes that a turn reads or writes. */
static void copy_part(Copy *c, const HeddleTurn *t) {
    size_t reads = (uint32_t)t->reads, read_at = (size_t)(t->reads >> 32), writes = (uint32_t)t->writes,
           write_at = (size_t)(t->writes >> 32);
    if (reads && c->from) watch_access((char *)(uintptr_t)c->from + read_at, reads, POINT_READS, c->where);
    if (writes) watch_access(c->to + write_at, writes, POINT_WRITES, c->where);
    for (size_t i = read_at; i < read_at + reads && i < c->size && c->from; i++) {
        c->between[i] = c->from[i];
        c->read[i] = true;
        if (!(t->flags & TURN_WRITES)) write_byte(c, i); /* no other thread sees the write */
    }
    for (size_t i = write_at; i < write_at + writes && i < c->size; i++) write_byte(c, i);
}

static const HeddleTurn *next_piece(const HeddleTurn *t) {
    for (const HeddleTurn *n = t + 1; n < schedule->turns + schedule->nturns; n++)
        if (n->thread == self->number) return n->flags & TURN_PIECE ? n : NULL;
    return NULL;
}

/* Executes a piece that races. Returns false if the copy ends with it. */
static bool meet_in_piece(Copy *c, const HeddleTurn *t) {
    bool writes = (uint32_t)t->writes;
    char *address = writes ? c->to + (t->writes >> 32) : (char *)(uintptr_t)c->from + (t->reads >> 32);
    if (meet(t, address, (uint32_t)(writes ? t->writes : t->reads), writes ? POINT_WRITES : POINT_READS)) return true;
    copy_part(c, t);
    after_race();
    return false;
}

/* Copies in pieces, between which other threads may take steps. The thread has arrived at the first. */
static void copy_pieces(Copy *c, const HeddleTurn *first) {
    for (const HeddleTurn *t = first; t; t = next_piece(t)) {
        while (&schedule->turns[now] != t) {
            pass_on();
            sleep_until_called();
        }
        if (t != first && t->flags & TURN_RACE && !meet_in_piece(c, t)) return;
        describe(t);
        copy_part(c, t);
        if (racing) after_race();
        self->copies = next_piece(t) != NULL;
        take_turn();
    }
}

/* Finishes a turn that the point itself has executed. */
static void finish_turn(const HeddleTurn *t) {
    describe(t);
    take_turn();
    over(t);
}

static bool is_partial(const HeddleTurn *t, size_t size) {
    uint32_t bytes = t->flags & TURN_WRITES ? (uint32_t)t->writes : (uint32_t)t->reads;
    return t->flags & TURN_PARTS || (bytes && bytes < size);
}

static void copy(unsigned at, char *to, const char *from, size_t size, char byte, void *where) {
    const HeddleTurn *t = arrive_at(at, to, size, from ? POINT_READS | POINT_WRITES : POINT_WRITES, true);
    Copy c = {.to = to, .from = from, .size = size, .byte = byte, .where = where};
    uint64_t chosen[2] = {t ? t->low : 0, t ? t->high : 0};
    if (t && t->flags & TURN_CHOSEN && from && t->size == size) memcpy((void *)(uintptr_t)from, chosen, size);
    if (!t || !is_partial(t, size)) {
        if (from) watch_access((void *)(uintptr_t)from, size, POINT_READS, where);
        watch_access(to, size, POINT_WRITES, where);
        if (from) memmove(to, from, size);
        else memset(to, byte, size);
        if (t) finish_turn(t);
        else over(NULL);
        return;
    }
    c.between = calloc(size, 1);
    c.read = calloc(size, sizeof *c.read);
    c.written = calloc(size, sizeof *c.written);
    if (!c.between || !c.read || !c.written) DIVERGED("out of memory");
    copy_pieces(&c, t);
    over(t);
    for (size_t i = 0; i < size; i++) /* other threads do not see the rest, or the trace ends before it */
        if (!c.written[i]) write_byte(&c, i);
    free(c.between);
    free(c.read);
    free(c.written);
}

void __heddle_set(unsigned at, void *to, uint64_t byte, uint64_t size, void *(*by)(void *, int, size_t)) {
    if (!by || !__heddle_answer(at)) {
        copy(at, to, NULL, size, (char)byte, __builtin_return_address(0));
        return;
    }
    uint64_t outer = __heddle_enter(at);
    by(to, (int)byte, size);
    __heddle_leave(outer);
}

void __heddle_move(unsigned at, void *to, const void *from, uint64_t size, void *(*by)(void *, const void *, size_t)) {
    if (!by || !__heddle_answer(at)) {
        copy(at, to, from, size, 0, __builtin_return_address(0));
        return;
    }
    uint64_t outer = __heddle_enter(at);
    by(to, from, size);
    __heddle_leave(outer);
}

/* Composes a value that is read in pieces, and stores it, so that the program reads it in one step. */
static bool load_pieces(const HeddleTurn *t, void *address, unsigned size) {
    char value[16] = {0}, between[16];
    bool read[16] = {0}, written[16] = {0};
    if (!(t->flags & TURN_PARTS) || t->flags & TURN_WRITES || size > sizeof value) return false;
    Copy c = {.to = value,
              .from = address,
              .size = size,
              .between = between,
              .read = read,
              .written = written,
              .where = __builtin_return_address(0)};
    copy_pieces(&c, t);
    for (unsigned i = 0; i < size; i++)
        if (!written[i]) write_byte(&c, i);
    memcpy(seen.saved, address, size);
    memcpy(address, value, size);
    seen.restore = true;
    return true;
}

void __heddle_access(unsigned at, void *address, unsigned size, unsigned flags) {
    unsigned only = flags / POINT_FOR;
    seen.ignored = only && !(only & schedule->property);
    if (seen.ignored) return;
    flags %= POINT_FOR;
    const HeddleTurn *t = arrive_at(at, address, size, flags, true);
    uint64_t value[2] = {t ? t->low : 0, t ? t->high : 0};
    seen.turn = t;
    seen.address = address;
    seen.size = size;
    seen.restore = false;
    if (racing && (!size || flags & POINT_LIBRARY)) watch_access(address, size, flags, __builtin_return_address(0));
    else if ((flags & (POINT_LIBRARY | POINT_RELAXED)) == POINT_LIBRARY) watch_library(flags, address);
    if (!t || load_pieces(t, address, size)) return;
    describe(t);
    take_turn();
    if (t->size != size) return;
    if (t->flags & TURN_CHOSEN) memcpy(address, value, size);
    if (!(t->flags & TURN_SERVED) || t->flags & TURN_ADDRESS) return;
    memcpy(seen.saved, address, size);
    memcpy(address, value, size);
    seen.restore = t->flags & TURN_VALUE; /* not for a read-modify-write, which writes to the place */
}

static bool is_zero(const char *bytes, size_t n) {
    while (n && !bytes[n - 1]) n--;
    return n == 0;
}

static void check_value(const HeddleTurn *t) {
    if (!(t->flags & TURN_VALUE) || t->size != seen.size) return;
    if (t->flags & (TURN_SERVED | TURN_PARTS)) return;
    uint64_t value[2] = {t->low, t->high}, there[2] = {0};
    memcpy(there, seen.address, t->size);
    bool same = !memcmp(value, there, t->size);
    if (t->flags & TURN_ADDRESS) same = is_zero((char *)value, t->size) == is_zero((char *)there, t->size);
    if (same) return;
    say("heddle: diverged at step %u: thread %u finds 0x%llx, not 0x%llx%s%s\n", t->step, self->number, (unsigned long long)there[0],
        (unsigned long long)value[0], t->counterexample ? ": " : "", t->counterexample ? t->counterexample : "");
    _exit(EXIT_DIVERGED);
}

void __heddle_accessed(void) {
    if (seen.ignored) return;
    const HeddleTurn *t = seen.turn;
    seen.turn = NULL;
    if (racing) after_race();
    if (!t) return;
    if (seen.restore) memcpy(seen.address, seen.saved, seen.size);
    else check_value(t);
    yield_token();
    bool last = !seen.address && schedule->end == END_FAULT && self->number == schedule->thread && self->next == NO_TURN;
    if (!last || t->origin != schedule->origin || t->context != schedule->context) return;
    await_end();
    end_as_in_trace(); /* all reads of a library function are one point */
}

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

/* Begins or ends an atomic section. */
void __heddle_section(unsigned begins) {
    sections += begins ? 1 : -1u;
    if (begins) watch_acquire(threads);
}

void call_hook(void (*hook)(void), unsigned at) {
    uint64_t outer = __heddle_enter(at);
    hook();
    __heddle_leave(outer);
}

uint64_t __heddle_answer(unsigned at) {
    const uint64_t *a = __heddle_answers;
    for (unsigned i = 0; i < __heddle_nanswers; i++, a += 3)
        if (a[0] == context && a[1] >> 32 == at && a[2] & schedule->property) return (uint32_t)a[1];
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

/* Takes the next input. An endless run repeats the inputs of the loop. */
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

/* Gives an uninitialised variable the value that the trace reads from it. */
void __heddle_variable(unsigned at, void *variable, unsigned size) {
    const HeddleInput *in = take_input(schedule->variables, schedule->nvariables, &self->next_variable, at);
    if (in) memcpy(variable, &in->value, size < sizeof in->value ? size : sizeof in->value);
}

/* ---- where the execution ends ---- */

_Noreturn void __heddle_error(const char *what) {
    if (self->next != NO_TURN) DIVERGED("thread %u reaches an error too early: %s", self->number, what);
    if (self->number != schedule->thread) stop();
    if (schedule->end == END_LEAK) __heddle_halt(); /* for this property, a violated assertion ends the process */
    await_end();
    if (schedule->end != END_ERROR) DIVERGED("thread %u reaches an error that is not in the trace: %s", self->number, what);
    end_as_in_trace();
}

_Noreturn void __heddle_assert(const char *expression) { __heddle_error(expression); }

_Noreturn void __heddle_halt(void) {
    if (self->next != NO_TURN) DIVERGED("thread %u ends the process too early", self->number);
    if (self->number != schedule->thread) stop();
    await_end();
    if (schedule->end == END_LEAK && lost_blocks()) end_as_in_trace();
    DIVERGED("the process ends");
}

_Noreturn void __heddle_finish(int quick) {
    unsigned at = origin;
    call_hook(quick ? __heddle_hook_quick_exit : __heddle_hook_exit, at);
    if (!quick) call_hook(__heddle_hook_destructors, at);
    __heddle_halt();
}

void __heddle_require(uint64_t condition) {
    while (!condition && schedule->end == END_ENDLESS) continue; /* the bodies of such functions loop, too */
    if (!condition) __heddle_halt();
}

_Noreturn void __heddle_unsupported(const char *what) { DIVERGED("%s is not modelled", what); }

void __heddle_over(const char *what) { (void)what; }
void __heddle_assumption(const char *what) { (void)what; }

void __heddle_await(_Bool condition) {
    if (condition) return;
    if (self->next == NO_TURN) park();
    wait_for_ever("a condition");
}

void __heddle_await_of(_Bool condition, unsigned thread) {
    (void)thread;
    __heddle_await(condition);
}

void __heddle_assume(_Bool condition) { __heddle_await(condition); }

void __heddle_convert(int conversion) {
    (void)conversion;
    DIVERGED("values that scanf stores are not replayed");
}
