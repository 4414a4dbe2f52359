// expect: UNSAFE
// flags: -e weave
// The last element is not written: the trace has to choose it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int *from, *one, *other, length;

static void *copy_one(void *arg) {
    for (int i = 0; i < length; i++) one[i] = from[i];
    return arg;
}

static void *copy_other(void *arg) {
    for (int i = 0; i < length - 1; i++) other[i] = from[i];
    return arg;
}

int main(void) {
    pthread_t a, b;
    length = __VERIFIER_nondet_int();
    if (length < 0 || length > 1000000) abort();
    from = malloc(sizeof(int) * (size_t)length);
    one = malloc(sizeof(int) * (size_t)length);
    other = malloc(sizeof(int) * (size_t)length);
    pthread_create(&a, NULL, copy_one, NULL);
    pthread_create(&b, NULL, copy_other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= length) abort();
    assert(one[k] == other[k]);
}
