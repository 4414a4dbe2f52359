// A detached thread is not joined: a semaphore orders its work before main's.
// broken: no-data-race
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int n;

static void *work(void *a) {
    n++;
    sem_post(&done);
    return a;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
#ifdef BROKEN
    n++;
#endif
    sem_wait(&done);
    return n == 0;
}
