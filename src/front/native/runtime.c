/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime of a native run: the program takes the steps of a trace, in their order.

   One thread runs at a time: it has the token, and takes turns (native.h) until the next one is another's. Then it goes no further; what it does
   before its own next turn is its own affair. A thread that has no more turns stays where it is, or runs to its end when it is joined. Locks, joins and waits never block: where the trace is right, what is waited for is there.
   All of this is decided by who has the token alone, so every run is the same.

   Where the run is not as the trace says (a thread does not come to its turn, a value is another), it has diverged: exit code EXIT_DIVERGED.
   Where all is as told, the end is: SIGABRT, or the signal of the fault itself. */
#include "native.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { EXIT_DIVERGED = 111, MOST_THREADS = 32768, NO_TURN = ~0u, ROUNDS = 3, PATIENCE = 20 /* seconds */ };

typedef struct Thread {
    sem_t go;
    unsigned number, next; /* its next turn, or NO_TURN */
    unsigned next_input, next_variable;
    bool ended, stopped, blocked; /* stopped: for good; blocked: … since it waits */
    bool copies;                  /* piece by piece */
    unsigned waiter;              /* who runs it to its end, to join it */
    void *(*start)(void *);
    void *argument, *result;
    pthread_t thread;
} Thread;

typedef struct Block {
    char *memory;
    size_t size;
    uint64_t place;
    bool freed;
} Block;

static const HeddleSchedule *const schedule = &heddle_schedule;
static Thread *threads[MOST_THREADS];
static unsigned nthreads, now /* the turn to be taken */, rounds, *following /* the thread's next turn, for each */;
static bool quiet, points;
static Block *blocks;
static size_t nblocks;
static _Thread_local Thread *self;
static _Thread_local uint64_t context;
static _Thread_local unsigned origin;
static _Thread_local struct {
    const HeddleTurn *turn;
    void *address;
    unsigned size, flags;
    uint64_t saved[2];
} seen;

extern int __heddle_main(int, char **, char **);
extern void __heddle_hook_thread_end(void), __heddle_hook_exit(void), __heddle_hook_quick_exit(void);
extern const uint64_t __heddle_answers[];
extern const unsigned __heddle_nanswers;

/* ---- ends ---- */

_Noreturn void __heddle_halt(void);

static unsigned step_now(void) { return now < schedule->nturns ? schedule->turns[now].step : schedule->steps; }

static void say(const char *format, ...) {
    char text[1000];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0) (void)!write(STDERR_FILENO, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

#define DIVERGED(...)                                     \
    do {                                                  \
        say("heddle: diverged at step %u: ", step_now()); \
        say(__VA_ARGS__);                                 \
        say("\n");                                        \
        _exit(EXIT_DIVERGED);                             \
    } while (0)

__attribute__((noinline)) void heddle_end(const char *what) { __asm__ volatile("" ::"r"(what) : "memory"); } /* for a breakpoint */
__attribute__((noinline)) void heddle_step(const char *story) { __asm__ volatile("" ::"r"(story) : "memory"); }

static void tell_end(void) {
    const char *where = schedule->where;
    say("heddle: %s%s%s, as told, after %u steps\n", schedule->what, *where ? " at " : "", where, schedule->steps);
    heddle_end(schedule->what);
}

static _Noreturn void fail_as_told(void) {
    tell_end();
    signal(SIGABRT, SIG_DFL);
    abort();
}

/* ---- the token ---- */

static void sleep_until_called(void) {
    while (sem_wait(&self->go)) continue;
}

static void call(unsigned number) {
    Thread *t = number <= nthreads ? threads[number] : NULL;
    if (!t || t->ended || t->stopped) DIVERGED("thread %u does not take it%s", number, !t ? "" : t->ended ? ": it has ended" : "");
    sem_post(&t->go);
}

static bool settled(void) { return now == schedule->nturns && schedule->end == END_DEADLOCK; }

static bool waits(unsigned number) { return number <= schedule->threads && schedule->fates[number] == FATE_WAITS; }
static bool ends(unsigned number) { return number <= schedule->threads && schedule->fates[number] == FATE_ENDS; }

/* After the last step of a deadlock, those that wait show that they do. */
static void call_next_waiter(void) {
    unsigned waiting = 0;
    for (unsigned i = 1; i <= nthreads; i++) {
        waiting += threads[i]->blocked;
        if (!waits(i) || threads[i]->blocked || threads[i] == self) continue;
        call(i);
        return;
    }
    if (waiting) fail_as_told();
    DIVERGED("no thread waits");
}

static void pass_on(void) {
    if (now < schedule->nturns) call(schedule->turns[now].thread);
    else if (schedule->thread) call(schedule->thread);
    else if (schedule->end == END_DEADLOCK) call_next_waiter();
    else DIVERGED("no thread goes on");
}

static _Noreturn void stop(void) {
    self->stopped = true;
    pass_on();
    for (;;) pause();
}

/* A thread without turns. Of a deadlock it goes on when all turns were taken, to where it waits. */
static void rest(void) {
    while (waits(self->number) && !settled()) {
        pass_on();
        sleep_until_called();
    }
    if (!waits(self->number)) stop();
}

/* A piece of what was done as a whole. */
static bool is_done(const HeddleTurn *t) { return t->flags & TURN_PIECE && !(t->flags & TURN_PARTS && threads[t->thread]->copies); }

static void take_turn(void) {
    for (now++; now < schedule->nturns && is_done(&schedule->turns[now]); now++) continue;
    if (now < schedule->nturns || schedule->end != END_ENDLESS) return;
    if (++rounds == ROUNDS) fail_as_told();
    now = schedule->loop;
    if (now >= schedule->nturns) now = schedule->nturns; /* it goes on without others noticing: see tick */
}

/* Others first. */
static void await_end(void) {
    while (now < schedule->nturns) {
        pass_on();
        sleep_until_called();
    }
}

/* A turn is over: the thread goes no further before it is to take the next one. */
static void go_on(void) {
    bool others =
        now < schedule->nturns ? schedule->turns[now].thread != self->number : schedule->thread && schedule->thread != self->number;
    if (!others && settled()) {
        rest();
        return;
    }
    if (!others) return;
    pass_on();
    sleep_until_called();
}

static void describe(const HeddleTurn *t) {
    if (!t->story) return;
    if (!quiet) say("%6u  %s\n", t->step, t->story);
    heddle_step(t->story);
}

/* ---- races ---- */

static struct {
    unsigned thread;
    char *address;
    size_t size;
    unsigned flags;
} racer;

static void meet(void *address, size_t size, unsigned flags) {
    if (!racer.thread) {
        racer.thread = self->number;
        racer.address = address;
        racer.size = size;
        racer.flags = flags;
        now++;
        self->stopped = true;
        pass_on();
        for (;;) pause();
    }
    char *other = address;
    bool overlap = !size || !racer.size || (other < racer.address + racer.size && racer.address < other + size);
    if (!overlap) DIVERGED("threads %u and %u access different places", racer.thread, self->number);
    if (!((flags | racer.flags) & POINT_WRITES)) DIVERGED("threads %u and %u only read", racer.thread, self->number);
    now++;
    fail_as_told();
}

/* ---- points ---- */

/* The thread is at a point. Its turn, once it is; NULL: it has none here. */
static const HeddleTurn *arrive_at(unsigned at, void *address, size_t size, unsigned flags, bool by_pieces) {
    if (self->next == NO_TURN) {
        if (self->number == schedule->thread) {
            await_end();
            if (schedule->end == END_FAULT && at == schedule->origin && context == schedule->context) fail_as_told();
            return NULL;
        }
        if (!ends(self->number)) rest();
        return NULL;
    }
    const HeddleTurn *t = &schedule->turns[self->next];
    if (points) say("        thread %u at %u %llx, awaits %u %llx\n", self->number, at, (long long)context, t->origin, (long long)t->context);
    if (t->origin != at || t->context != context) return NULL;
    while (now != self->next) {
        pass_on();
        sleep_until_called();
    }
    if (t->flags & TURN_RACE) {
        describe(t);
        meet(address, size, flags);
    }
    self->next = following[self->next];
    if (by_pieces && t->flags & TURN_PARTS) return t; /* copy_pieces takes it */
    describe(t);
    take_turn();
    return t;
}

static const HeddleTurn *arrive(unsigned at, void *address, size_t size, unsigned flags) {
    return arrive_at(at, address, size, flags, false);
}

static _Noreturn void wait_for_ever(const char *what) {
    if (self->next != NO_TURN || !waits(self->number)) DIVERGED("thread %u has to wait for %s", self->number, what);
    self->blocked = true;
    if (!quiet) say("        thread %u waits for %s\n", self->number, what);
    stop();
}

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
    if (t && t->flags & TURN_PARTS) copy_pieces(t, to, from, size, value);
    else if (value) memset(to, *value, size);
    else memmove(to, from, size);
    if (t) go_on();
}

void __heddle_set(unsigned at, void *to, uint64_t byte, uint64_t size) { copy(at, to, NULL, size, &(int){(int)byte}); }
void __heddle_move(unsigned at, void *to, const void *from, uint64_t size) { copy(at, to, from, size, NULL); }

/* ---- calls ---- */

static uint64_t context_of_call(uint64_t outer, unsigned at) {
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

static void call_hook(void (*hook)(void), unsigned at) {
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

static unsigned lost_blocks(void) {
    unsigned n = 0;
    for (size_t i = 0; i < nblocks; i++) n += !blocks[i].freed;
    return n;
}

_Noreturn void __heddle_halt(void) {
    if (self->next != NO_TURN) DIVERGED("thread %u ends the process too early", self->number);
    if (self->number != schedule->thread) stop();
    await_end();
    if (schedule->end == END_LEAK && lost_blocks()) fail_as_told();
    DIVERGED("the process ends");
}

_Noreturn void __heddle_finish(int quick) {
    call_hook(quick ? __heddle_hook_quick_exit : __heddle_hook_exit, origin);
    __heddle_halt();
}

void __heddle_require(uint64_t condition) {
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

/* ---- locks: words as doc/ir.md has them ---- */

enum { OWNER = 0xffff, COUNT_ONE = 1 << 16, COUNT = 0xfff << 16, KIND_SHIFT = 28, NORMAL = 0, RECURSIVE = 1, CHECKED = 2 };
enum { NOT_OWNER = 1, TOO_OFTEN = 11, BUSY = 16, WOULD_DEADLOCK = 35 };

static int take(uint32_t *word, bool tries) {
    unsigned owner = *word & OWNER, kind = *word >> KIND_SHIFT;
    if (!owner) {
        *word |= self->number;
        return 0;
    }
    if (owner == self->number && kind == RECURSIVE) {
        if ((*word & COUNT) == COUNT) return TOO_OFTEN;
        *word += COUNT_ONE;
        return 0;
    }
    if (tries) return BUSY;
    if (owner == self->number && kind == CHECKED) return WOULD_DEADLOCK;
    char what[80];
    snprintf(what, sizeof what, "a lock that thread %u holds", owner);
    wait_for_ever(what);
}

static int give_back(uint32_t *word) {
    unsigned owner = *word & OWNER, kind = *word >> KIND_SHIFT;
    if (owner == self->number && *word & COUNT) *word -= COUNT_ONE;
    else if (owner == self->number || kind == NORMAL) *word &= ~(uint32_t)OWNER;
    else return NOT_OWNER;
    return 0;
}

enum { LOCK, TRYLOCK, UNLOCK };

static int use_lock(uint32_t *word, int how) {
    const HeddleTurn *t = arrive(origin, word, sizeof *word, POINT_WRITES);
    int result = how == UNLOCK ? give_back(word) : take(word, how == TRYLOCK);
    if (t) go_on();
    return result;
}

int __heddle_lock(uint32_t *word) { return use_lock(word, LOCK); }
int __heddle_trylock(uint32_t *word) { return use_lock(word, TRYLOCK); }
int __heddle_unlock(uint32_t *word) { return use_lock(word, UNLOCK); }

/* ---- threads ---- */

static unsigned first_turn(unsigned thread) {
    for (unsigned i = 0; i < schedule->nturns; i++)
        if (schedule->turns[i].thread == thread && !(schedule->turns[i].flags & TURN_PIECE)) return i;
    return NO_TURN;
}

static Thread *new_thread(void) {
    if (nthreads + 1 == MOST_THREADS) DIVERGED("too many threads");
    Thread *t = calloc(1, sizeof *t);
    if (!t) DIVERGED("out of memory");
    sem_init(&t->go, 0, 0);
    t->number = ++nthreads;
    t->next = first_turn(t->number);
    threads[t->number] = t;
    return t;
}

static _Noreturn void end_thread(void *result) {
    if (self->next != NO_TURN) DIVERGED("thread %u ends too early", self->number);
    if (self->number == schedule->thread) DIVERGED("thread %u ends", self->number);
    self->result = result;
    self->ended = true;
    if (self->waiter) call(self->waiter);
    else pass_on();
    if (self->number == 1)
        for (;;) pause();
    pthread_exit(NULL);
}

static void *run(void *thread) {
    self = thread;
    sleep_until_called();
    void *result = self->start(self->argument);
    call_hook(__heddle_hook_thread_end, 0);
    end_thread(result);
}

unsigned __heddle_self(void) { return self->number; }

unsigned __heddle_create(void *(*start)(void *), void *argument) {
    const HeddleTurn *turn = arrive(origin, NULL, 0, POINT_WRITES);
    Thread *t = new_thread();
    t->start = start;
    t->argument = argument;
    if (pthread_create(&t->thread, NULL, run, t)) DIVERGED("thread %u cannot be created", t->number);
    if (turn) go_on();
    return t->number;
}

void *__heddle_join(unsigned number) {
    const HeddleTurn *turn = arrive(origin, NULL, 0, POINT_READS);
    if (!number || number > nthreads) DIVERGED("thread %u is joined, which does not exist", number);
    Thread *t = threads[number];
    while (!t->ended) {
        char what[80];
        snprintf(what, sizeof what, "the end of thread %u", number);
        if (t->next != NO_TURN || t == self || !ends(number)) wait_for_ever(what);
        t->waiter = self->number;
        call(number);
        sleep_until_called();
    }
    if (turn) go_on();
    return t->result;
}

_Noreturn void __heddle_exit_thread(void *result) {
    call_hook(__heddle_hook_thread_end, origin);
    end_thread(result);
}

/* ---- memory: nothing is given back, so what lies where is the trace's affair ---- */

static Block *block_at(const void *memory) {
    for (size_t i = nblocks; i-- > 0;)
        if (blocks[i].memory == memory) return &blocks[i];
    return NULL;
}

static Block *block_of_place(uint64_t place) {
    for (size_t i = 0; i < nblocks && place; i++)
        if (blocks[i].place == place) return &blocks[i];
    return NULL;
}

static void *allocate(size_t size, size_t alignment, bool zeroed) {
    const HeddleTurn *t = arrive(origin, NULL, 0, POINT_WRITES);
    Block *b = t ? block_of_place(t->low) : NULL;
    size_t room = t && t->high > size ? (size_t)t->high : size;
    if (!b) {
        if (!(nblocks & (nblocks + 1))) blocks = realloc(blocks, (2 * nblocks + 1) * sizeof *blocks);
        void *fresh = NULL;
        if (!blocks || posix_memalign(&fresh, alignment < 16 ? 16 : alignment, room + 16)) DIVERGED("out of memory");
        memset(fresh, 0xa5, room + 16);
        b = &blocks[nblocks++];
        b->memory = fresh;
        b->place = t ? t->low : 0;
    }
    b->size = size;
    b->freed = false;
    if (zeroed) memset(b->memory, 0, size);
    void *memory = b->memory; /* others may allocate, and the list move */
    if (t) go_on();
    return memory;
}

void *__heddle_alloc(size_t size, _Bool zeroed) { return allocate(size, 16, zeroed); }
void *__heddle_alloc_aligned(size_t size, size_t alignment) { return allocate(size, alignment, false); }

void __heddle_free(void *memory) {
    const HeddleTurn *t = arrive(origin, memory, 0, POINT_WRITES);
    Block *b = block_at(memory);
    if (memory && (!b || b->freed)) DIVERGED("what is freed was not allocated");
    if (b) b->freed = true;
    if (t) go_on();
}

size_t __heddle_size(const void *memory) {
    arrive(origin, (void *)memory, 0, POINT_READS);
    const Block *b = block_at(memory);
    if (!b) DIVERGED("a size is asked of what was not allocated");
    return b->size;
}

void __heddle_copy(void *to, const void *from, size_t size) { __heddle_move(origin, to, from, size); }
void __heddle_fill(void *to, unsigned char byte, size_t size) { __heddle_set(origin, to, byte, size); }

/* ---- arithmetic, where overflow is asked for ---- */

static bool overflows(unsigned operation, int64_t a, int64_t b, unsigned width) {
    int64_t result, most = width == 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
    bool over = operation == '+'   ? __builtin_add_overflow(a, b, &result)
                : operation == '-' ? __builtin_sub_overflow(a, b, &result)
                                   : __builtin_mul_overflow(a, b, &result);
    return over || result > most || result < -most - 1;
}

void __heddle_arithmetic(unsigned operation, int64_t a, int64_t b, unsigned width) {
    bool last = schedule->end == END_FAULT && self->number == schedule->thread && self->next == NO_TURN;
    if (!last || (operation == '<' ? b >= 0 && b < (int64_t)width : !overflows(operation, a, b, width))) return;
    await_end();
    fail_as_told();
}

#ifdef __i386__
/* What the compiler's own library has for 64-bit numbers. */
static uint64_t divide(uint64_t a, uint64_t b, uint64_t *rest) {
    uint64_t quotient = 0, r = 0;
    if (!b) raise(SIGFPE);
    for (int i = 63; i >= 0; i--) {
        bool carry = r >> 63;
        r = r << 1 | (a >> i & 1);
        if (carry || r >= b) {
            r -= b;
            quotient |= (uint64_t)1 << i;
        }
    }
    *rest = r;
    return quotient;
}
static uint64_t magnitude(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }
uint64_t __udivdi3(uint64_t a, uint64_t b) { return divide(a, b, &(uint64_t){0}); }
uint64_t __umoddi3(uint64_t a, uint64_t b) {
    uint64_t rest;
    divide(a, b, &rest);
    return rest;
}
int64_t __divdi3(int64_t a, int64_t b) {
    uint64_t rest, q = divide(magnitude(a), magnitude(b), &rest);
    return (int64_t)((a < 0) != (b < 0) ? 0 - q : q);
}
int64_t __moddi3(int64_t a, int64_t b) {
    uint64_t rest;
    divide(magnitude(a), magnitude(b), &rest);
    return (int64_t)(a < 0 ? 0 - rest : rest);
}
/* Of the product, the upper half is not 0 or its sign is lost. */
int64_t __mulodi4(int64_t a, int64_t b, int *over) {
    int64_t product = (int64_t)((uint64_t)a * (uint64_t)b);
    *over = a && (__divdi3(product, a) != b || (a == -1 && b == INT64_MIN));
    return product;
}
#endif

/* ---- signals ---- */

static void crash(int signal) {
    bool last = self && self->next == NO_TURN && self->number == schedule->thread && now == schedule->nturns;
    if (!last || schedule->end != END_FAULT) DIVERGED("thread %u crashes: %s", self ? self->number : 0, strsignal(signal));
    tell_end();
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(signal, &usual, NULL);
    raise(signal);
}

/* Every second of processor time. */
static void tick(int signal) {
    static unsigned last = NO_TURN, since, round;
    (void)signal;
    if (last != now || round != rounds) since = 0;
    last = now;
    round = rounds;
    if (now == schedule->nturns && schedule->end == END_ENDLESS) fail_as_told();
    if (++since >= PATIENCE) DIVERGED("nothing happens");
}

static void catch_signals(void) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    struct sigaction on_crash = {.sa_handler = crash, .sa_flags = SA_NODEFER}, on_tick = {.sa_handler = tick, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &on_crash, NULL);
    sigaction(SIGPROF, &on_tick, NULL);
    setitimer(ITIMER_PROF, &(struct itimerval){{1, 0}, {1, 0}}, NULL);
}

/* ---- main ---- */

static void find_following(void) {
    unsigned n = schedule->nturns, *soonest = malloc((schedule->threads + 1) * sizeof *soonest);
    following = malloc((n + 1) * sizeof *following);
    if (!soonest || !following) DIVERGED("out of memory");
    for (unsigned t = 0; t <= schedule->threads; t++) soonest[t] = NO_TURN;
    for (unsigned round = 0; round < 2; round++) /* what does not end goes on with the loop */
        for (unsigned i = n; i-- > (schedule->end == END_ENDLESS && !round ? schedule->loop : 0);) {
            const HeddleTurn *t = &schedule->turns[i];
            if (schedule->end != END_ENDLESS && !round) break;
            following[i] = soonest[t->thread];
            if (!(t->flags & TURN_PIECE)) soonest[t->thread] = i;
        }
    free(soonest);
}

/* As front/arguments.c splits --args. */
static int split(const char *s, char **words, int most) {
    int n = 0;
    char *room = malloc(strlen(s) + 1), quote = 0;
    for (s += strspn(s, " \t\n"); *s && n < most; s += strspn(s, " \t\n")) {
        words[n++] = room;
        for (; *s && (quote || !strchr(" \t\n", *s)); s++) {
            if (quote ? *s == quote : *s == '\'' || *s == '"') quote = quote ? 0 : *s;
            else if (*s == '\\' && quote != '\'' && s[1]) *room++ = *++s;
            else *room++ = *s;
        }
        *room++ = 0;
        if (!*s) break;
    }
    return n;
}

int main(void) {
    static char *words[256] = {(char *)"program"}, strings[5][16];
    static char *none[] = {NULL};
    int n = 1;
    quiet = getenv("HEDDLE_QUIET") != NULL;
    points = getenv("HEDDLE_POINTS") != NULL; /* to see where a run diverges */
    find_following();
    self = new_thread();
    catch_signals();
    if (schedule->arguments) n += split(schedule->arguments, words + 1, 254);
    else {
        n = (int)__heddle_input(0);
        for (int i = 0; i < 5; i++) words[i] = i < n ? strings[i] : NULL;
    }
    if (schedule->turns[0].thread && first_turn(1) != 0 && schedule->turns[0].thread != 1) DIVERGED("main does not begin");
    __heddle_main(n, words, none);
    call_hook(__heddle_hook_exit, 0);
    __heddle_halt();
}
