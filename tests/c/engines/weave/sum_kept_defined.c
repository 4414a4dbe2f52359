// expect: SAFE
// flags: -e weave
// Two sums of the same numbers agree; that each sum is tested before it is made has nothing to do with it.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int *numbers, length, one, other;

static int plus(int a, int b) {
    if (b < 0 && a < INT_MIN - b) abort();
    if (b > 0 && a > INT_MAX - b) abort();
    return a + b;
}

static void *add_to_one(void *arg) {
    for (int i = 0; i < length; i++) one = plus(one, numbers[i]);
    return arg;
}

static void *add_to_other(void *arg) {
    for (int i = 0; i < length; i++) other = plus(numbers[i], other);
    return arg;
}

int main(void) {
    pthread_t a, b;
    length = __VERIFIER_nondet_int();
    if (length < 0 || length > 1000000) abort();
    numbers = malloc(sizeof(int) * (size_t)length);
    pthread_create(&a, NULL, add_to_one, NULL);
    pthread_create(&b, NULL, add_to_other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(one == other);
}
