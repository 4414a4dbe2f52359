/* SPDX-License-Identifier: Apache-2.0 */
#include "run/trace.h"

enum { STACK_BELOW = 8 << 20, STACK_ABOVE = 1 << 20 };
static Address main_stack;

void trace_start(Address stack) {
    main_stack = stack;
    shared->hash = 1;
}

/* Makes addresses on the main stack relative: it begins below the environment, whose size differs between runs of the program. */
static Address relative(Address a) { return a - (main_stack - STACK_BELOW) < STACK_BELOW + STACK_ABOVE ? a - main_stack : a; }

static void mix(uint64_t n) {
    shared->hash = (shared->hash ^ n) * UINT64_C(0x9E3779B97F4A7C15);
    shared->hash ^= shared->hash >> 29;
}

void trace_add(const Event *e) {
    mix((uint64_t)self->id << 56 ^ (uint64_t)e->kind << 48 ^ e->pc);
    mix(relative(e->address ? e->address : e->object ? e->object->address : 0));
}
