// expect: SAFE
// flags: -e weave
// A thread that takes off only where there is something, and tries again otherwise; all is unsigned and may wrap around.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
unsigned rounds, unit, store;

static void *put(void *arg) {
    for (unsigned i = 0; i < rounds; i++) {
        __VERIFIER_atomic_begin();
        store += unit;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *take(void *arg) {
    for (unsigned i = 0; i < rounds;) {
        __VERIFIER_atomic_begin();
        if (store > 0) {
            store -= unit;
            i++;
        }
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    rounds = __VERIFIER_nondet_uint();
    unit = __VERIFIER_nondet_uint();
    if (unit == 0) abort();
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(store == 0);
}
