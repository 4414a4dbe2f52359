// expect: UNKNOWN the property no-overflow is supported under C11 only if no two accesses race, except seq_cst atomics
// flags: -p no-overflow --memory-model c11
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *first(void *p) {
    atomic_store_explicit(&x, 2147483647, memory_order_relaxed);
    return p;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, 0, first, 0);
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(s, 0);
    return seen / 2 + 1 < 0;
}
