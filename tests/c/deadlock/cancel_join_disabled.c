// expect: UNSAFE
// flags: --property no-deadlock
// As cancel_join.c; but the waiter does not let itself be cancelled.
#include <pthread.h>
#include <semaphore.h>

static sem_t start;
static pthread_t sleeper;

static void *sleeps(void *unused) {
    sem_wait(&start);
    return unused;
}
static void *waits(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_join(sleeper, NULL);
    return unused;
}

int main(void) {
    pthread_t waiter;
    sem_init(&start, 0, 0);
    pthread_create(&sleeper, NULL, sleeps, NULL);
    pthread_create(&waiter, NULL, waits, NULL);
    pthread_cancel(waiter);
    pthread_join(waiter, NULL);
    sem_post(&start);
    return 0;
}
