// expect: SAFE
// flags: -p no-deadlock -e redcomp --no-spurious-wakeups
/* A wait with a time-out ends though nobody signals. */
#include <pthread.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
    struct timespec until = {1, 0};
    int n = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    for (int i = 0; i < n; i++) pthread_cond_timedwait(&c, &m, &until);
    pthread_mutex_unlock(&m);
    return 0;
}
