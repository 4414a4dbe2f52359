// expect: UNSAFE endless execution
// flags: --property termination
#include <pthread.h>
#include <semaphore.h>
sem_t a, b;
void *other(void *arg) {
    while (1) {
        sem_wait(&a);
        sem_post(&b);
    }
}
int main(void) {
    pthread_t t;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 0);
    pthread_create(&t, 0, other, 0);
    while (1) {
        sem_wait(&b);
        sem_post(&a);
    }
}
