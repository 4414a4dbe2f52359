// expect: SAFE
// flags: --property no-data-race
// The release and the acquire order the zeros of calloc and the write of the other thread.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) global;

static void *work(void *unused) {
    int *p = atomic_load_explicit(&global, memory_order_acquire);
    if (p) *p = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store_explicit(&global, calloc(1, sizeof(int)), memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
