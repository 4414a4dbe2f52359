// expect: SAFE
// flags: -p no-data-race
/* Any number of threads. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *p) {
    pthread_mutex_lock(&m);
    x = !x;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, 0, f, 0);
    }
    return 0;
}
