// expect: UNSAFE neither happens before the other
// flags: -p no-data-race
// A relaxed load orders nothing: what was written before the store need not be seen.
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
static void *reader(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_relaxed)) data++;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    data = 5;
    atomic_store_explicit(&ready, 1, memory_order_release);
    pthread_join(t, 0);
}
