// expect: SAFE atomic operations weaker than memory_order_seq_cst are judged under sequential consistency
// flags: -q
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *work(void *a) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (atomic_load_explicit(&y, memory_order_relaxed)) assert(atomic_load_explicit(&x, memory_order_relaxed));
    return 0;
}
