// The barrier waits for a thread that does not exist.
// broken: no-deadlock
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *x) {
    pthread_barrier_wait(&b);
    return x;
}

int main(void) {
    pthread_t t;
#ifdef BROKEN
    pthread_barrier_init(&b, NULL, 3);
#else
    pthread_barrier_init(&b, NULL, 2);
#endif
    pthread_create(&t, NULL, work, NULL);
    pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    return 0;
}
