// expect: UNSAFE data race
// flags: -p no-data-race
/* Nothing orders the unlock before the destruction, though it comes before. */
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;
static void *worker(void *a) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (atomic_load_explicit(&done, memory_order_relaxed)) pthread_mutex_destroy(&m);
}
