// expect: UNSAFE
/* Two atomic sections are not one: the sum is wrong in between. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int a = 5, b;

static void *worker(void *unused) {
    (void)unused;
    __VERIFIER_atomic_begin();
    a--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    b++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    __VERIFIER_atomic_begin();
    int sum = a + b;
    __VERIFIER_atomic_end();
    assert(sum == 5);
    pthread_join(thread, NULL);
    return 0;
}
