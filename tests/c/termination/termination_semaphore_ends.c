// expect: SAFE n - i
// flags: --property termination --engine redcomp
// main has no condition: it goes round as often as the other posts.
#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
sem_t a, b;
int n;
void *other(void *arg) {
    for (int i = 0; i < n; i++) {
        sem_wait(&a);
        sem_post(&b);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 0);
    pthread_create(&t, 0, other, 0);
    while (1) {
        sem_wait(&b);
        sem_post(&a);
    }
}
