// expect: UNSAFE
// flags: -e weave
// What is taken from one counter is put to the next, but in between it is nowhere: who looks then stops too early.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
unsigned here, there, done, here_first, there_first;

static void *move(void *arg) {
    while (here > 0) {
        __VERIFIER_atomic_begin();
        here--;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        there++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *finish(void *arg) {
    __VERIFIER_atomic_begin();
    _Bool more = there > 0 || here > 0;
    __VERIFIER_atomic_end();
    while (more) {
        __VERIFIER_atomic_begin();
        if (there > 0) {
            there--;
            done++;
        }
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        more = there > 0 || here > 0;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    here = here_first = __VERIFIER_nondet_uint();
    there = there_first = __VERIFIER_nondet_uint();
    pthread_create(&a, NULL, move, NULL);
    pthread_create(&b, NULL, finish, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(done == here_first + there_first);
}
