// expect: UNSAFE deadlock: every thread that has not ended waits for ever
// flags: -p no-deadlock
/* The function that creates threads is an argument of the one that is created, which calls it three times: four threads wait, three are woken. */
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
sem_t ready;
void *rest(void *p) {
    pthread_mutex_lock(&m);
    sem_post(&ready);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return p;
}
void more(void) {
    pthread_t t;
    pthread_create(&t, 0, rest, 0);
}
void *start(void *p) {
    void (*create)(void) = (void (*)(void))p;
    create();
    create();
    create();
    return rest(0);
}
int main(void) {
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, start, (void *)more);
    for (int i = 0; i < 4; i++) sem_wait(&ready);
    pthread_mutex_lock(&m);
    for (int i = 0; i < 3; i++) pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}
