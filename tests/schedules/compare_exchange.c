// A lock by compare-exchange.
// broken: no-data-race
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif
static atomic_int taken;
static int n;

static void *add(void *a) {
    int no = 0;
    while (!atomic_compare_exchange_weak_explicit(&taken, &no, 1, memory_order_acquire, memory_order_relaxed)) no = 0;
    n++;
    atomic_store_explicit(&taken, 0, ORDER);
    return a;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
