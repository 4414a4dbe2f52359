// expect: SAFE all executions were visited
// flags: -p no-data-race --memory-model c11
// A message: its flag is released and acquired.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data, got;

void *first(void *p) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return p;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, 0, first, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire)) got = data;
    pthread_join(s, 0);
    return got;
}
