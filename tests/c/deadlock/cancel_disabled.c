// expect: UNSAFE
// flags: --property no-deadlock
// A request to a thread that does not let itself be cancelled stays: it waits for ever.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *worker(void *unused) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
