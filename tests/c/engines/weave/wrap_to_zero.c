// expect: UNSAFE
// flags: -e weave
// The largest number and one is 0.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
unsigned x;

static void *step(void *arg) {
    x = x + 1;
    return arg;
}

int main(void) {
    pthread_t t;
    x = __VERIFIER_nondet_uint();
    if (x == 0) return 0;
    pthread_create(&t, NULL, step, NULL);
    pthread_join(t, NULL);
    assert(x != 0);
    return 0;
}
