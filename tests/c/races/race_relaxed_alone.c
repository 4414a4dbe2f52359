// expect: SAFE
// flags: -p no-data-race
// Nothing but atomic accesses is shared: they need no order.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static void *adder(void *unused) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, adder, 0);
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    pthread_join(t, 0);
}
