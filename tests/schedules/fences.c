// broken: no-data-race
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *produce(void *a) {
    data = 1;
#ifndef BROKEN
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return a;
}

int main(void) {
    pthread_t t;
    int seen = 1;
    pthread_create(&t, NULL, produce, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        seen = data;
    }
    pthread_join(t, NULL);
    return !seen;
}
