// expect: UNSAFE
// flags: --memory-model c11
// Threads of C11: which function a thread begins with is known.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

atomic_int x, y;
int a, b;

int first(void *p) {
    atomic_store_explicit(&x, 1, memory_order_release);
    a = atomic_load_explicit(&y, memory_order_acquire);
    return p != 0;
}

int second(void *p) {
    atomic_store_explicit(&y, 1, memory_order_release);
    b = atomic_load_explicit(&x, memory_order_acquire);
    return p != 0;
}

int main(void) {
    thrd_t s, t;
    thrd_create(&s, first, 0);
    thrd_create(&t, second, 0);
    thrd_join(s, 0);
    thrd_join(t, 0);
    assert(a || b);
    return 0;
}
