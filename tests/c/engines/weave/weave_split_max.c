// expect: SAFE
// flags: --engine weave
// One thread finds the largest of n numbers, two others find it in two parts. The proof runs the first in lockstep with the two, one after the other.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

int *numbers, n, middle, all, parts;

static void *whole(void *unused) {
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        if (all < numbers[i]) all = numbers[i];
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *first(void *unused) {
    for (int i = 0; i < middle; i++) {
        __VERIFIER_atomic_begin();
        if (parts < numbers[i]) parts = numbers[i];
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *second(void *unused) {
    for (int i = middle; i < n; i++) {
        __VERIFIER_atomic_begin();
        if (parts < numbers[i]) parts = numbers[i];
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    n = __VERIFIER_nondet_int();
    middle = __VERIFIER_nondet_int();
    if (middle < 0 || n <= middle || n > 1000000) return 0;
    numbers = malloc(n * sizeof *numbers);
    pthread_create(&a, 0, whole, 0);
    pthread_create(&b, 0, first, 0);
    pthread_create(&c, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(all == parts);
    return 0;
}
