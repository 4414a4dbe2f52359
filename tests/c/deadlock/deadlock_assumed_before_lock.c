// expect: UNSAFE
// flags: --property no-deadlock
// A thread that ends with the lock; what the other one reads before it waits does not matter.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0);
    pthread_mutex_lock(&m);
    if (x != 1) pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    return 0;
}
