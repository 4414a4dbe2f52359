// expect: UNSAFE neither happens before the other
// flags: -p no-data-race
/* The relaxed store and load do not order the allocation before the other thread's lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(pthread_mutex_t *) p;
static void *worker(void *a) {
    pthread_mutex_t *m = atomic_load_explicit(&p, memory_order_relaxed);
    if (m) pthread_mutex_lock(m);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    atomic_store_explicit(&p, calloc(1, sizeof(pthread_mutex_t)), memory_order_relaxed);
    pthread_join(t, 0);
}
