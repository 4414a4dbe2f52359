// expect: SAFE
// flags: -p valid-memsafety
/* A thread waits while the value is read: the number of waiting threads and the mark of the semaphore have places of their own. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *worker(void *a) {
    sem_wait(&s);
    return a;
}
int main(void) {
    pthread_t t;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_getvalue(&s, &value);
    sem_post(&s);
    pthread_join(t, 0);
    sem_destroy(&s);
    sem_init(&s, 0, 1);
    sem_wait(&s);
}
