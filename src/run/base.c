/* SPDX-License-Identifier: Apache-2.0 */
#include "run/base.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void *base_next_definition(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) base_die("the C library has no function %s", name);
    return found;
}

static void *map_at(Address place, size_t size, int how) {
    void *memory = mmap((void *)place, size, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *base_reserve(Address place, size_t size) { return map_at(place, size, MAP_PRIVATE); }

/* Maps memory at places of its own, so that the runtime's needs do not move the program's memory. */
static void *map(size_t size, int how) {
    enum { STEP = 1 << 21 };
    static Address place = (Address)0x500000000000;
    void *memory = map_at(place, size, how);
    if (!memory) base_die("no memory for the runtime: %s", strerror(errno));
    place += (size / STEP + 1) * STEP;
    return memory;
}

void *base_shared_memory(size_t size) { return map(size, MAP_SHARED); }

void *base_memory(size_t size) {
    enum { PIECE = 4 << 20, LINE = 64 };
    static char *next;
    static size_t left;
    size = (size + LINE - 1) / LINE * LINE;
    if (size > PIECE / 4) return map(size, MAP_PRIVATE);
    if (size > left) {
        left = PIECE;
        next = map(PIECE, MAP_PRIVATE);
    }
    void *memory = next;
    next += size;
    left -= size;
    return memory;
}

bool base_put(int fd, const void *bytes, size_t size) {
    for (const char *at = bytes; size;) {
        long n = syscall(SYS_write, fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static void put_text(const char *format, va_list list) {
    char text[1000];
    int n = vsnprintf(text, sizeof text, format, list);
    size_t size = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    base_put(STDERR_FILENO, text, size);
}

void base_say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    put_text(format, list);
    va_end(list);
}

void base_die(const char *format, ...) {
    va_list list;
    va_start(list, format);
    base_say("heddle run: ");
    put_text(format, list);
    base_say("\n");
    va_end(list);
    _exit(125);
}

double base_seconds(void) {
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
