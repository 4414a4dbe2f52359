/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the primitives that models of library functions use (front/model/heddle.h): locks, threads, memory. */
#include "runtime.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- locks: mutex words as in doc/ir.md ---- */

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
    if (racing) watch_access(word, sizeof *word, POINT_WRITES, __builtin_return_address(0));
    if (how == UNLOCK) watch_release(word);
    int result = how == UNLOCK ? give_back(word) : take(word, how == TRYLOCK);
    if (how != UNLOCK && !result) watch_acquire(word);
    over(t);
    return result;
}

int __heddle_lock(uint32_t *word) { return use_lock(word, LOCK); }
int __heddle_trylock(uint32_t *word) { return use_lock(word, TRYLOCK); }
int __heddle_unlock(uint32_t *word) { return use_lock(word, UNLOCK); }

/* ---- threads ---- */

unsigned first_turn(unsigned thread) {
    for (unsigned i = 0; i < schedule->nturns; i++)
        if (schedule->turns[i].thread == thread && !(schedule->turns[i].flags & TURN_PIECE)) return i;
    return NO_TURN;
}

Thread *new_thread(void) {
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
    watch_release(self);
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
    over(turn);
    return t->number;
}

void *__heddle_join(unsigned number) {
    const HeddleTurn *turn = arrive(origin, NULL, 0, POINT_READS);
    if (!number || number > nthreads) DIVERGED("thread %u is joined but does not exist", number);
    Thread *t = threads[number];
    while (!t->ended) {
        char what[80];
        snprintf(what, sizeof what, "the end of thread %u", number);
        if (t->next != NO_TURN || t == self || !ends(number)) wait_for_ever(what);
        t->waiter = self->number;
        call(number);
        sleep_until_called();
    }
    watch_acquire(t);
    over(turn);
    return t->result;
}

_Noreturn void __heddle_exit_thread(void *result) {
    call_hook(__heddle_hook_thread_end, origin);
    end_thread(result);
}

/* ---- memory: blocks are never returned to the system, so the trace determines which objects share a place ---- */

typedef struct Block {
    char *memory;
    size_t size;
    uint64_t place;
    bool freed;
} Block;

static Block *blocks;
static size_t nblocks;

unsigned lost_blocks(void) {
    unsigned n = 0;
    for (size_t i = 0; i < nblocks; i++) n += !blocks[i].freed;
    return n;
}

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
        void *fresh = NULL, *more = nblocks & (nblocks + 1) ? blocks : realloc(blocks, (2 * nblocks + 1) * sizeof *blocks);
        if (more) blocks = more;
        if (!more || posix_memalign(&fresh, alignment < 16 ? 16 : alignment, room + 16)) DIVERGED("out of memory");
        memset(fresh, 0xa5, room + 16);
        b = &blocks[nblocks++];
        b->memory = fresh;
        b->place = t ? t->low : 0;
    }
    b->size = size;
    b->freed = false;
    if (zeroed) memset(b->memory, 0, size);
    void *memory = b->memory; /* other threads may allocate, and move the list */
    watch_acquire(memory);
    if (racing) watch_access(memory, size, POINT_WRITES, __builtin_return_address(0));
    over(t);
    return memory;
}

void *__heddle_alloc(size_t size, _Bool zeroed) { return allocate(size, 16, zeroed); }
void *__heddle_alloc_spare(size_t size) { return allocate(size, 16, false); }
void *__heddle_alloc_aligned(size_t size, size_t alignment) { return allocate(size, alignment, false); }

/* Reports a free: as a write if it races; else as a release, so that later uses of the place are ordered. */
static void watch_free(const Block *b, void *where) {
    if (racing) watch_access(b->memory, b->size, POINT_WRITES, where);
    else watch_release(b->memory);
}

void __heddle_free(void *memory) {
    const HeddleTurn *t = arrive(origin, memory, 0, POINT_WRITES);
    Block *b = block_at(memory);
    if (memory && (!b || b->freed)) DIVERGED("freed memory was not allocated");
    if (b) b->freed = true;
    if (b) watch_free(b, __builtin_return_address(0));
    over(t);
}

size_t __heddle_size(const void *memory) {
    arrive(origin, (void *)memory, 0, POINT_READS);
    const Block *b = block_at(memory);
    if (!b) DIVERGED("the size of memory that was not allocated is needed");
    return b->size;
}

/* Memory that nothing has written is only in blocks, which begin with one pattern, and on the stack. A mark is not this pattern. */
_Bool __heddle_written(const uint32_t *word) {
    arrive(origin, (void *)word, sizeof *word, POINT_READS);
    return *word != 0xa5a5a5a5u;
}

_Noreturn void __heddle_misuse(int fault) {
    if (self->number != schedule->thread || self->next != NO_TURN || schedule->end != END_FAULT)
        DIVERGED("thread %u misuses the library (%d), which is not in the trace", self->number, fault);
    await_end();
    end_as_in_trace();
}

void __heddle_copy(void *to, const void *from, size_t size) { __heddle_move(origin, to, from, size, NULL); }
void __heddle_fill(void *to, unsigned char byte, size_t size) { __heddle_set(origin, to, byte, size, NULL); }

/* ---- arithmetic ---- */

static bool overflows(unsigned operation, int64_t a, int64_t b, unsigned width) {
    int64_t result, most = width == 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
    bool over = operation == '+'   ? __builtin_add_overflow(a, b, &result)
                : operation == '-' ? __builtin_sub_overflow(a, b, &result)
                                   : __builtin_mul_overflow(a, b, &result);
    return over || result > most || result < -most - 1;
}

void __heddle_undefined_sum(void) {
    bool asked = schedule->property == WATCH_OVERFLOWS && schedule->end == END_FAULT;
    if (!asked || self->number != schedule->thread || self->next != NO_TURN) return;
    await_end();
    end_as_in_trace();
}

void __heddle_undefined_division(void) { __heddle_undefined_sum(); }

void __heddle_arithmetic(unsigned operation, int64_t a, int64_t b, unsigned width) {
    if (operation == '<' ? b < 0 || b >= (int64_t)width : overflows(operation, a, b, width)) __heddle_undefined_sum();
}

#ifdef __x86_64__
/* Atomic accesses of 16 bytes need no lock: only one thread runs. */
typedef unsigned __int128 Wide;
Wide wide_load(const Wide *, int) __asm__("__atomic_load_16");
Wide wide_load(const Wide *from, int order) { return (void)order, *from; }
void wide_store(Wide *, Wide, int) __asm__("__atomic_store_16");
void wide_store(Wide *to, Wide value, int order) { (void)order, *to = value; }
bool wide_exchange(Wide *, Wide *, Wide, int, int) __asm__("__atomic_compare_exchange_16");
bool wide_exchange(Wide *at, Wide *expected, Wide desired, int order, int otherwise) {
    bool same = *at == *expected;
    (void)order, (void)otherwise;
    if (same) *at = desired;
    else *expected = *at;
    return same;
}
#endif

#ifdef __i386__
/* Replaces the compiler's library for 64-bit numbers. */
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
/* Multiplies two numbers. *over becomes true if the product does not fit. */
int64_t __mulodi4(int64_t a, int64_t b, int *over) {
    int64_t product = (int64_t)((uint64_t)a * (uint64_t)b);
    *over = a && (__divdi3(product, a) != b || (a == -1 && b == INT64_MIN));
    return product;
}
#endif
