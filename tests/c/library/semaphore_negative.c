// expect: UNKNOWN sem_getvalue may give the number of waiting threads
// flags: -p unreach-call
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *waiter(void *unused) {
    sem_wait(&s);
    return unused;
}

int main(void) {
    pthread_t t;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, waiter, 0);
    sem_getvalue(&s, &value);
    assert(value >= 0);
    sem_post(&s);
    pthread_join(t, 0);
    return 0;
}
