// expect: SAFE all executions were visited (2), and none has a data race [H0897]
// flags: -p no-data-race --memory-model c11
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

void *first(void *p) {
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return p;
}

void *second(void *p) {
    if (!atomic_load_explicit(&flag, memory_order_relaxed)) return p;
    atomic_thread_fence(memory_order_acquire);
    data = 2;
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
