// expect: UNSAFE
// flags: --property no-deadlock
// The thread chooses a mutex before it waits for it. It may choose the one that main keeps.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t m[2];

static void *work(void *unused) {
    pthread_mutex_lock(&m[__VERIFIER_nondet_bool()]);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m[0]);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
