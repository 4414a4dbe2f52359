// expect: UNKNOWN and they are not both seq_cst atomics
// flags: -p unreach-call --memory-model c11
// A lock of relaxed atomics orders nothing: what it guards races.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken;
int x, y;

void *work(void *p) {
    for (;;) {
        while (atomic_exchange_explicit(&taken, 1, memory_order_relaxed)) {}
        x = (x + 1) % 100;
        y = (y + 1) % 100;
        assert(x == y);
        atomic_store_explicit(&taken, 0, memory_order_relaxed);
    }
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, work, 0);
    pthread_create(&t, 0, work, 0);
    pthread_join(s, 0);
    return 0;
}
