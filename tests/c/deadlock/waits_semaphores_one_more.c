// expect: UNSAFE deadlock: every thread that has not ended waits for ever
// flags: -p no-deadlock -e redcomp
/* Two threads take turns by semaphores, but one of them waits once more. */
#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
sem_t ping, pong;
int n;
void *f(void *p) {
    for (int i = 0; i < n; i++) {
        sem_wait(&ping);
        sem_post(&pong);
    }
    return p;
}
int main(void) {
    pthread_t t;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    n = __VERIFIER_nondet_int();
    pthread_create(&t, 0, f, 0);
    for (int i = 0; i <= n; i++) {
        sem_wait(&pong);
        sem_post(&ping);
    }
    pthread_join(t, 0);
    return 0;
}
