// expect: SAFE
// flags: -p unreach-call --memory-model c11
// A loop that waits, with a fence in each round.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *producer(void *argument) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

void *consumer(void *argument) {
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) atomic_thread_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_acquire);
    assert(data == 42);
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
