// expect: SAFE
// flags: -e weave
// The test that keeps a sum defined is what the property needs: leaving it out is not enough for a proof.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int x, y, largest;

static void *step(void *arg) {
    if (x == INT_MAX) abort();
    largest = x == INT_MAX;
    y = x + 1;
    return arg;
}

int main(void) {
    pthread_t t;
    x = __VERIFIER_nondet_int();
    pthread_create(&t, NULL, step, NULL);
    pthread_join(t, NULL);
    assert(!largest);
}
