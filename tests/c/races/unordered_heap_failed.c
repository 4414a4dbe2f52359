// expect: UNSAFE data race
// flags: -p no-data-race
// An exchange that fails tells an address, and does not acquire.
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
    int *q = NULL;
    if (atomic_compare_exchange_strong_explicit(&shared, &q, NULL, memory_order_seq_cst, memory_order_relaxed)) return p;
    return *q ? p : NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
