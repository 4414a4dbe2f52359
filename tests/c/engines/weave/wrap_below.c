// expect: UNSAFE
// flags: -e weave
// A difference of unsigned numbers is never negative: it may be large.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char x, y;

static void *step(void *arg) {
    x = x - y;
    return arg;
}

int main(void) {
    pthread_t t;
    x = __VERIFIER_nondet_uchar();
    y = __VERIFIER_nondet_uchar();
    unsigned char before = x;
    pthread_create(&t, NULL, step, NULL);
    pthread_join(t, NULL);
    assert(x <= before);
    return 0;
}
