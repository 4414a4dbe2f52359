// expect: UNSAFE data race
// flags: -p no-data-race
// A compare-exchange that fails does not write, and so releases nothing.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int unchanged, flag;

static void *writer(void *x) {
    int expected = 5;
    data = 1;
    atomic_compare_exchange_strong(&unchanged, &expected, 6);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return x;
}

int main(void) {
    pthread_t t;
    int sum = 0;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed) && !atomic_load(&unchanged)) sum = data;
    pthread_join(t, 0);
    return sum;
}
