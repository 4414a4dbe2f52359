// expect: UNKNOWN this store can be observed [H1108]
// flags: --memory-model pso -p valid-memsafety
// The address of an object arrives before what is in it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

void *first(void *p) {
    int *q = calloc(1, sizeof *q);
    if (!q) return p;
    *q = 42;
    atomic_store_explicit(&shared, q, memory_order_relaxed);
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
