// expect: UNSAFE data race
// flags: -p no-data-race
// A compare-exchange that fails is relaxed here: it reads the flag, and acquires nothing.
#include <pthread.h>
#include <stdatomic.h>

int data, got;
atomic_int flag;

void *first(void *p) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return p;
}
void *second(void *p) {
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_seq_cst, memory_order_relaxed)) got = data;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
