// expect: SAFE
// flags: --property no-deadlock
// Every way unlocks.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    int x = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (x != 1) x = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    return 0;
}
