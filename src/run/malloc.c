/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the functions of malloc, also for the C library. */
#include "run/heap.h"
#include "run/race.h"
#include "run/scheduler.h"
#include "run/history.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHECKED = 1 << 16, PAGE = 4096 }; /* bytes of a freed block whose earlier accesses are checked for races */

static void *allocate(size_t size, size_t alignment, Address pc) {
    bool seen = scheduler_enter();
    void *memory = heap_allocate(size, alignment, pc);
    if (seen && memory) history_block(EVENT_ALLOCATE, memory, size, pc);
    if (seen) scheduler_leave();
    if (!memory) errno = ENOMEM;
    return memory;
}

static void release(void *memory, Address pc) {
    if (!memory) return;
    if (!scheduler_enter()) {
        heap_free(memory, pc);
        return;
    }
    const Block *b = heap_block(memory);
    size_t size = b && !b->freed ? b->size : 0;
    if (!thread_is_alone()) {
        Event e = {.kind = EVENT_FREE, .pc = pc, .address = (Address)memory, .size = (unsigned)size, .write = true};
        scheduler_event(&e, nlive > 1 && race_is_known(pc));
        if (b && !b->freed) race_check((Address)memory, size < MOST_CHECKED ? size : MOST_CHECKED, true, false, pc);
    }
    history_block(EVENT_FREE, memory, size, pc);
    heap_free(memory, pc);
    scheduler_leave();
}

EXPORTED void *malloc(size_t size) { return allocate(size, 0, CALLER); }
EXPORTED void *calloc(size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) bytes = SIZE_MAX;
    return allocate(bytes, 0, CALLER);
}
EXPORTED void *memalign(size_t alignment, size_t size) { return allocate(size, alignment, CALLER); }
EXPORTED void *aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment, CALLER); }
EXPORTED void *valloc(size_t size) { return allocate(size, PAGE, CALLER); }
EXPORTED int posix_memalign(void **to, size_t alignment, size_t size) {
    void *memory = allocate(size, alignment, CALLER);
    if (memory) *to = memory;
    return memory ? 0 : ENOMEM;
}
EXPORTED void free(void *memory) { release(memory, CALLER); }
EXPORTED void cfree(void *memory);
EXPORTED void cfree(void *memory) { release(memory, CALLER); }
EXPORTED size_t malloc_usable_size(void *memory) {
    const Block *b = heap_block(memory);
    return b ? b->size : 0;
}

static void *reallocate(void *memory, size_t size, Address pc) {
    if (!memory) return allocate(size, 0, pc);
    if (!size) {
        release(memory, pc);
        return NULL;
    }
    const Block *b = heap_block(memory);
    void *moved = b && !b->freed ? allocate(size, 0, pc) : NULL;
    if (moved) memcpy(moved, memory, b->size < size ? b->size : size);
    if (moved || !b || b->freed) release(memory, pc);
    return moved;
}
EXPORTED void *realloc(void *memory, size_t size) { return reallocate(memory, size, CALLER); }
EXPORTED void *reallocarray(void *memory, size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) bytes = SIZE_MAX;
    return reallocate(memory, bytes, CALLER);
}
