// expect: SAFE
// flags: --memory-model tso
// To take a mutex or a semaphore is to read, modify and write.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int x, y, a, b;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t one;

void *first(void *p) {
    x = 1;
    pthread_mutex_trylock(&m);
    a = y;
    return p;
}

void *second(void *p) {
    y = 1;
    sem_trywait(&one);
    b = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    sem_init(&one, 0, 1);
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(a || b);
    return 0;
}
