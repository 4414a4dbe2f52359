/* SPDX-License-Identifier: Apache-2.0 */
/* The chunks of a class have one size, and come from one row of memory. A freed block waits in a queue before its chunk is used again. */
#include "run/heap.h"
#include "run/bounds.h"
#include "run/limits.h"
#include "run/race.h"
#include "run/object.h"
#include "run/scheduler.h"
#include "run/shadow.h"
#include <stdio.h>
#include <string.h>

enum { SMALL_STEP = 32, SMALL = 1024, STEPS = 4, NCLASSES = 256, MOST_WAITING = 4096, REDZONE = 16, ALIGNMENT = 16 };
static const uint64_t MAGIC = UINT64_C(0x48656464c3a4626b);
static const size_t MOST_WAITING_BYTES = (size_t)64 << 20;

static Address begin, next, end; /* the heap: its first byte, the first byte that was never used, and its end */
static Block *chunks[NCLASSES];  /* free ones */
static Block *waiting[MOST_WAITING];
static unsigned first_waiting, nwaiting;
static size_t waiting_bytes;
static uint64_t nblocks;

/* Rounds a size up to that of a class. Large sizes have STEPS classes between two powers of two. */
static size_t round_up(size_t size, unsigned *class_) {
    if (size <= SMALL) {
        *class_ = (unsigned)((size + SMALL_STEP - 1) / SMALL_STEP);
        return *class_ * (size_t)SMALL_STEP;
    }
    unsigned power = 63 - (unsigned)__builtin_clzl(size - 1);
    size_t step = ((size_t)1 << power) / STEPS, n = (size + step - 1) / step;
    *class_ = SMALL / SMALL_STEP + 1 + (power - 10) * STEPS + (unsigned)(n - STEPS);
    return n * step;
}

static Address take_chunk(size_t size, unsigned class_, bool *fresh) {
    Block *old = chunks[class_];
    *fresh = !old;
    if (old) {
        chunks[class_] = old->next;
        Address start = old->start;
        old->magic = 0;
        return start;
    }
    if (!end) {
        size_t room;
        begin = next = bounds_start(&room);
        end = next + room;
    }
    if (size > end - next) return 0;
    next += size;
    return next - size;
}

void *heap_allocate(size_t size, size_t alignment, Address pc) {
    bool fresh;
    unsigned class_;
    if (alignment < ALIGNMENT) alignment = ALIGNMENT;
    if (size > (size_t)1 << 40 || alignment > (size_t)1 << 30) return NULL;
    size_t total = round_up(sizeof(Block) + size + REDZONE + alignment, &class_);
    Address start = take_chunk(total, class_, &fresh);
    if (!start) return NULL;
    Address user = (start + sizeof(Block) + alignment - 1) / alignment * alignment;
    Block *b = (Block *)user - 1;
    *b = (Block){.magic = MAGIC, .user = user, .size = size, .start = start, .pc = pc, .class_ = class_, .number = ++nblocks};
    b->thread = self ? (unsigned short)self->id : 0;
    bounds_allow(user, size ? size : 1);
    if (!fresh) memset((void *)user, 0, size);
    shadow_clear(user, size);
    return (void *)user;
}

Block *heap_block(const void *memory) {
    Address user = (Address)memory;
    if (user % ALIGNMENT || user < begin + sizeof(Block) || user >= next) return NULL;
    Block *b = (Block *)user - 1;
    return b->magic == MAGIC && b->user == user ? b : NULL;
}

void heap_describe(const Block *b, Finding *f) {
    f->other = b->freed ? b->by : b->thread;
    f->other_pc = b->freed ? b->free_pc : b->pc;
    snprintf(f->text, sizeof f->text, "block %lu size %lu offset %ld allocated %u %lx freed %u %lx", (unsigned long)b->number,
             (unsigned long)b->size, (long)(f->address - b->user), b->thread, (unsigned long)b->pc, b->by, (unsigned long)b->free_pc);
}

static void recycle(Block *b) {
    bounds_forbid(b->user, b->size ? b->size : 1);
    b->next = chunks[b->class_];
    chunks[b->class_] = b;
}

static void recycle_oldest(void) {
    Block *b = waiting[first_waiting];
    first_waiting = (first_waiting + 1) % MOST_WAITING;
    nwaiting--;
    waiting_bytes -= b->size;
    recycle(b);
}

static void let_wait(Block *b) {
    while (nwaiting && (nwaiting == MOST_WAITING || waiting_bytes + b->size > MOST_WAITING_BYTES)) recycle_oldest();
    waiting[(first_waiting + nwaiting++) % MOST_WAITING] = b;
    waiting_bytes += b->size;
}

static _Noreturn void end_run(Outcome outcome, void *memory, const Block *b, Address pc) {
    Finding f = {.outcome = outcome, .pc = pc, .address = (Address)memory, .thread = self->id, .event = shared->events};
    if (b) heap_describe(b, &f);
    race_make_point(pc);
    scheduler_end_with(&f);
}

void heap_free(void *memory, Address pc) {
    Block *b = heap_block(memory);
    if (!b || b->freed) {
        if (!scheduler_on || !self) return;
        end_run(b ? OUTCOME_DOUBLE_FREE : OUTCOME_BAD_FREE, memory, b, pc);
    }
    b->freed = true;
    b->free_pc = pc;
    b->by = self ? (unsigned short)self->id : 0;
    bounds_forget(b->user, b->size ? b->size : 1);
    object_forget(b->user, b->size);
    if (limits.reuse) recycle(b);
    else let_wait(b);
}
