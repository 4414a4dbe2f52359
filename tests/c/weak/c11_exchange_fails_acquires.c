// expect: SAFE
// flags: -p unreach-call --memory-model c11
// A compare-exchange that fails acquires, though one that succeeds does not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data;
static atomic_int flag;

static void *writer(void *x) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 3, memory_order_release);
    return x;
}
static void *reader(void *x) {
    int seen = 1;
    if (!atomic_compare_exchange_strong_explicit(&flag, &seen, 2, memory_order_relaxed, memory_order_acquire) && seen == 3)
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return x;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, writer, 0);
    pthread_create(&q, 0, reader, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
