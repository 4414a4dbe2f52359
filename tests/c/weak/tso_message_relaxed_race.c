// expect: UNSAFE data race
// flags: -p no-data-race --memory-model tso
// What a relaxed message orders nothing for is a race of C, whatever the machine does with stores.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *send(void *unused) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, send, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) data++;
    pthread_join(t, 0);
    return 0;
}
