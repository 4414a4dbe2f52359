// expect: UNSAFE data race
// flags: -p no-data-race
// An exchange that fails reads with an order of its own.
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
static void *reader(void *unused) {
    int old = 0;
    if (!atomic_compare_exchange_strong_explicit(&ready, &old, 7, memory_order_acq_rel, memory_order_relaxed)) data++;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    data = 5;
    atomic_store_explicit(&ready, 1, memory_order_release);
    pthread_join(t, 0);
}
