// expect: UNSAFE neither happens before the other
// flags: --property no-data-race
// calloc writes zeros. The relaxed store and load do not order them before the other thread's write.
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
    atomic_store_explicit(&global, calloc(1, sizeof(int)), memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
