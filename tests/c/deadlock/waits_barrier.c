// expect: UNSAFE deadlock: every thread that has not ended waits for ever
// flags: -p no-deadlock -e impact
/* The barrier waits for one thread more than there are, if the input says so. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_barrier_t b;
void *f(void *p) {
    pthread_barrier_wait(&b);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, __VERIFIER_nondet_int() == 4711 ? 3 : 2);
    pthread_create(&t, 0, f, 0);
    pthread_barrier_wait(&b);
    pthread_join(t, 0);
    return 0;
}
