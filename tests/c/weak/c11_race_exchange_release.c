// expect: SAFE
// flags: -p no-data-race --memory-model c11
// An exchange releases if it succeeds; what it does if it fails is another matter.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

void *first(void *p) {
    int none = 0;
    data = 1;
    atomic_compare_exchange_strong_explicit(&flag, &none, 1, memory_order_release, memory_order_relaxed);
    return p;
}

void *second(void *p) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) data = 2;
    return p;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
