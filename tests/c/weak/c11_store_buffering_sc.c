// expect: SAFE except seq_cst atomics
// flags: --memory-model c11
// Sequentially consistent accesses do not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a, b;

void *first(void *p) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    a = atomic_load_explicit(&y, memory_order_seq_cst);
    return p;
}
void *second(void *p) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    b = atomic_load_explicit(&x, memory_order_seq_cst);
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a == 1 || b == 1);
    return 0;
}
