/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that verification tasks call: inputs, assumptions, atomic sections and errors. An input depends on the seed of the run and on how
   many inputs there were before. */
#include "run/limits.h"
#include "run/sync.h"

static uint64_t inputs;

/* Returns an input: often a small number. */
static uint64_t input(void) {
    enum { SMALL = 4, HALF = 33, NEGATIVE = 34 };
    uint64_t x = (limits.seed * UINT64_C(0x9E3779B97F4A7C15) + ++inputs) * UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    if (x >> HALF & 1) return x;
    return x >> NEGATIVE & 1 ? x % SMALL : 0 - x % SMALL;
}

#define INPUT(name, type)                         \
    EXPORTED type __VERIFIER_nondet_##name(void); \
    EXPORTED type __VERIFIER_nondet_##name(void) { return (type)input(); }
INPUT(int, int)
INPUT(uint, unsigned)
INPUT(unsigned, unsigned)
INPUT(unsigned_int, unsigned)
INPUT(long, long)
INPUT(ulong, unsigned long)
INPUT(longlong, long long)
INPUT(ulonglong, unsigned long long)
INPUT(short, short)
INPUT(ushort, unsigned short)
INPUT(char, char)
INPUT(schar, signed char)
INPUT(uchar, unsigned char)
INPUT(size_t, size_t)
INPUT(float, float)
INPUT(double, double)
EXPORTED bool __VERIFIER_nondet_bool(void);
EXPORTED bool __VERIFIER_nondet_bool(void) { return input() & 1; }
EXPORTED void *__VERIFIER_nondet_pointer(void);
EXPORTED void *__VERIFIER_nondet_pointer(void) { return NULL; }

/* An execution that does not satisfy an assumption does not count. */
EXPORTED void __VERIFIER_assume(int condition);
EXPORTED void __VERIFIER_assume(int condition) {
    if (!condition && scheduler_on) scheduler_end(OUTCOME_GOOD, CALLER, "an assumption is false");
}

EXPORTED void __VERIFIER_error(void);
EXPORTED void __VERIFIER_error(void) {
    if (scheduler_on) scheduler_end(OUTCOME_ASSERTION, CALLER, "error: __VERIFIER_error is called");
}
EXPORTED void reach_error(void);
EXPORTED void reach_error(void) {
    if (scheduler_on) scheduler_end(OUTCOME_ASSERTION, CALLER, "error: reach_error is called");
}

/* ---- atomic sections: no other thread runs inside, and each happens before the next one ---- */

static char section;

EXPORTED void __VERIFIER_atomic_begin(void);
EXPORTED void __VERIFIER_atomic_begin(void) {
    if (!scheduler_enter()) return;
    sync_happen(&(Event){.kind = EVENT_ATOMIC, .pc = CALLER, .object = object_at(&section), .write = true});
    if (!self->sections++) object_acquire(object_at(&section));
    scheduler_leave();
}
EXPORTED void __VERIFIER_atomic_end(void);
EXPORTED void __VERIFIER_atomic_end(void) {
    if (!scheduler_enter()) return;
    bool inside = self->sections > 0;
    if (inside) self->sections--;
    if (inside && !self->sections) object_release(object_at(&section));
    scheduler_leave();
}
