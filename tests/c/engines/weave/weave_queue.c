// expect: SAFE
// flags: --engine weave
// One thread puts ones and minus ones into a queue by turns, another adds up what it takes out: the sum is 0 or 1.
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);

int queue[1000], front, back, sum;

static void *put(void *unused) {
    _Bool one = 1;
    while (__VERIFIER_nondet_bool()) {
        __VERIFIER_atomic_begin();
        if (back >= 1000) abort();
        queue[back++] = one ? 1 : -1;
        __VERIFIER_atomic_end();
        one = !one;
    }
    return unused;
}

static void *take(void *unused) {
    while (__VERIFIER_nondet_bool()) {
        __VERIFIER_atomic_begin();
        if (front < back) sum += queue[front++];
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 0 || sum == 1);
    return 0;
}
