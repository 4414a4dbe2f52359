// broken: no-data-race
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif
static atomic_int ready;
static int data;

static void *produce(void *a) {
    data = 1;
    atomic_store_explicit(&ready, 1, ORDER);
    return a;
}

int main(void) {
    pthread_t t;
    int seen = 1;
    pthread_create(&t, NULL, produce, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire)) seen = data;
    pthread_join(t, NULL);
    return !seen;
}
