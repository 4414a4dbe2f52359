// expect: SAFE
// flags: -e redcomp -t 60
// A maximum is taken in an atomic section: its branches are one step.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int largest, a, b;

static void *one(void *unused) {
    __VERIFIER_atomic_begin();
    if (a > largest) largest = a;
    __VERIFIER_atomic_end();
    return unused;
}

static void *two(void *unused) {
    __VERIFIER_atomic_begin();
    if (b > largest) largest = b;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t t, u;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(largest >= 0 && largest >= a && largest >= b);
}
