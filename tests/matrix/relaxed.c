// A thread hands a value over by an atomic flag. RIGHT: the flag is released and acquired; it is relaxed otherwise.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RIGHT
#define SET memory_order_release
#define SEE memory_order_acquire
#else
#define SET memory_order_relaxed
#define SEE memory_order_relaxed
#endif
static int value;
static atomic_int ready, message;

static void *produce(void *none) {
    value = 42;
    atomic_store_explicit(&message, 7, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, SET);
    return none;
}

int main(void) {
    pthread_t producer;
    int got = 42, sent = 7;
    pthread_create(&producer, NULL, produce, NULL);
    if (atomic_load_explicit(&ready, SEE)) {
        sent = atomic_load_explicit(&message, memory_order_relaxed);
#ifdef RACES
        got = value;
#endif
    }
    assert(got == 42 && sent == 7);
    pthread_join(producer, NULL);
}
