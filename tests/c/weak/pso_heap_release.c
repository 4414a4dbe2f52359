// expect: SAFE no thread can observe a delayed store [H1106]
// flags: --memory-model pso
// What is in an object arrives before its address that is released.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

void *first(void *p) {
    int *q = calloc(1, sizeof *q);
    if (!q) return p;
    *q = 42;
    atomic_store_explicit(&shared, q, memory_order_release);
    return p;
}

void *second(void *p) {
    int *q = atomic_load_explicit(&shared, memory_order_relaxed);
    if (q) assert(*q == 42);
    return p;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
