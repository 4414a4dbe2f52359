// expect: SAFE
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_barrier_t b;
static void *worker(void *a) {
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) pthread_barrier_destroy(&b);
    return a;
}
int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_barrier_init(&b, 0, 1);
    pthread_barrier_wait(&b);
}
