// expect: UNKNOWN which may be endless
// flags: --property termination --engine redcomp
// As termination_commit_then_wait.c: no proof may leave out that others see x.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
pthread_mutex_t m;
atomic_int x;
sem_t never;
void *one(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    sem_wait(&never);
    pthread_mutex_unlock(&m);
    return 0;
}
void *two(void *arg) {
    while (x == 1) ;
    return 0;
}
int main(void) {
    pthread_t a, b;
    sem_init(&never, 0, 0);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
