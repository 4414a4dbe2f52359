// expect: SAFE only read once other threads can access it
// flags: -p no-data-race --memory-model c11
// What was done to an object before its address was released happens before what others do who acquire it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

void *first(void *p) {
    int *q = malloc(sizeof *q);
    if (!q) return p;
    *q = 42;
    atomic_store_explicit(&shared, q, memory_order_release);
    return p;
}

void *second(void *p) {
    int *q = atomic_load_explicit(&shared, memory_order_acquire);
    return q && *q ? p : NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
