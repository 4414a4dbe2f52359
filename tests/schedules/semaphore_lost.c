// A semaphore that nothing posts.
// broken: no-deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *a) {
    sem_wait(&s);
    return a;
}

int main(void) {
    pthread_t t[2];
    sem_init(&s, 0, 0);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
    sem_post(&s);
#ifndef BROKEN
    sem_post(&s);
#endif
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
