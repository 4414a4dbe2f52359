// expect: UNSAFE neither happens before the other
// flags: -p no-data-race --memory-model c11
// The thread that passes the address on has not acquired it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) here, there;

void *first(void *p) {
    int *q = malloc(sizeof *q);
    if (!q) return p;
    *q = 42;
    atomic_store_explicit(&here, q, memory_order_release);
    return p;
}

void *between(void *p) {
    atomic_store_explicit(&there, atomic_load_explicit(&here, memory_order_relaxed), memory_order_release);
    return p;
}

void *second(void *p) {
    int *q = atomic_load_explicit(&there, memory_order_acquire);
    return q && *q ? p : NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, between, NULL);
    pthread_create(&c, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
