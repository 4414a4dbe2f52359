// expect: SAFE
// flags: --memory-model tso
// A read-modify-write waits for the store buffer, though no other thread sees what it changes, and though it fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, y, a, b;
_Thread_local atomic_int own;

void *first(void *p) {
    atomic_int none = 0;
    x = 1;
    atomic_exchange_explicit(&none, 1, memory_order_relaxed);
    a = y;
    return p;
}

void *second(void *p) {
    int expected = 7;
    y = 1;
    atomic_compare_exchange_strong(&own, &expected, 1);
    b = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(a || b);
    return 0;
}
