// expect: UNSAFE neither happens before the other
// flags: --property no-data-race
// malloc may write what it allocates (C17 7.22.3). Relaxed accesses do not order that before the write of the other thread.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) global;

static void *work(void *unused) {
    int *p = atomic_load_explicit(&global, memory_order_relaxed);
    if (p) *p = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store_explicit(&global, malloc(sizeof(int)), memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
