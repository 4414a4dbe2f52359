// expect: SAFE
// flags: --memory-model c11
// Of one place, all see the same order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int a, b;

void *first(void *p) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return p;
}
void *second(void *p) {
    a = atomic_load_explicit(&x, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a <= b);
    return 0;
}
