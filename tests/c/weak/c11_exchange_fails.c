// expect: SAFE no two accesses race, except seq_cst atomics; 41 proof obligations hold [H1110]
// flags: -p unreach-call --memory-model c11
// Compare-exchanges that fail only read, but in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a = 5, b = 5;

void *first(void *p) {
    atomic_store(&x, 1);
    atomic_compare_exchange_strong(&y, &a, 7);
    return p;
}
void *second(void *p) {
    atomic_store(&y, 1);
    atomic_compare_exchange_strong(&x, &b, 7);
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
