// expect: UNSAFE data race
// flags: -p no-data-race
// An exchange that fails in relaxed order acquires nothing, though the one that succeeds does.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;

static void *work(void *x) {
    data = 1;
    atomic_store(&flag, 1);
    return x;
}

int main(void) {
    pthread_t t;
    int expected = 7;
    pthread_create(&t, 0, work, 0);
    atomic_compare_exchange_strong_explicit(&flag, &expected, 8, memory_order_seq_cst, memory_order_relaxed);
    if (expected == 1) data = 2;
    pthread_join(t, 0);
    return 0;
}
