// expect: SAFE
// flags: -p no-data-race
// Only one thread has the relaxed counter, and the flag acquires and releases.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, counter;
static int data;

static void *producer(void *x) {
    data = 42;
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    while (!atomic_load_explicit(&flag, memory_order_acquire)) continue;
    data++;
    pthread_join(t, 0);
    return 0;
}
