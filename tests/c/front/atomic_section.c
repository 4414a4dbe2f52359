// expect: SAFE
/* Nothing comes between __VERIFIER_atomic_begin and _end, nor into a function named __VERIFIER_atomic_…. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int a, b;

static void __VERIFIER_atomic_move(int n) {
    a -= n;
    b += n;
}

static void *worker(void *unused) {
    (void)unused;
    __VERIFIER_atomic_begin();
    a++;
    b--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_move(3);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    __VERIFIER_atomic_begin();
    assert(a + b == 0);
    __VERIFIER_atomic_end();
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(a == -4 && b == 4);
    return 0;
}
