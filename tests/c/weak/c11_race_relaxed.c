// expect: SAFE
// flags: -p no-data-race --memory-model c11
// Only atomics conflict, in whatever order.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *first(void *p) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return p;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, 0, first, 0);
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(s, 0);
    return seen;
}
