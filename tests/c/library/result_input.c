// expect: UNSAFE
// An input that reaches its use as the result of a thread.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static void *worker(void *unused) {
    (void)unused;
    return (void *)(long)__VERIFIER_nondet_uchar();
}

int main(void) {
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, &r);
    assert((int)(long)r != 2);
    return 0;
}
