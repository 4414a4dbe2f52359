// expect: SAFE
// flags: --memory-model c11
// Each addition reads the last one, whatever its order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *first(void *p) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return p;
}
void *second(void *p) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
