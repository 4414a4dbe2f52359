// expect: UNKNOWN since one that fails orders nothing
// flags: -p unreach-call --memory-model c11
// An attempt to take a mutex that fails may have seen that it was taken earlier: nothing orders the relaxed accesses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int done;

void *first(void *argument) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return 0;
}

void *second(void *argument) {
    if (atomic_load_explicit(&done, memory_order_relaxed)) assert(pthread_mutex_trylock(&m) == 0);
    return 0;
}

int main(void) {
    pthread_t f, s;
    pthread_create(&f, 0, first, 0);
    pthread_create(&s, 0, second, 0);
    pthread_join(f, 0);
    pthread_join(s, 0);
    return 0;
}
