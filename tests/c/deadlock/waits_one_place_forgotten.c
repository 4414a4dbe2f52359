// expect: UNSAFE deadlock: every thread that has not ended waits for ever
// flags: -p no-deadlock -e impact
/* A buffer of one place: who puts and who takes wait for each other by condition variables, and one forgets to signal. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int full, n;
void *take(void *p) {
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        while (!full) pthread_cond_wait(&changed, &m);
        full = 0;
        pthread_mutex_unlock(&m);
    }
    return p;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    pthread_create(&t, 0, take, 0);
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        while (full) pthread_cond_wait(&changed, &m);
        full = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
