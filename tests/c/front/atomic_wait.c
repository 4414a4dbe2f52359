// expect: SAFE
/* A lock made of an atomic function with an assumption: it is entered only when the lock is free. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int locked, counter;

static void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(locked == 0);
    locked = 1;
}

static void __VERIFIER_atomic_release(void) { locked = 0; }

static void *worker(void *unused) {
    (void)unused;
    __VERIFIER_atomic_acquire();
    counter++;
    __VERIFIER_atomic_release();
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
