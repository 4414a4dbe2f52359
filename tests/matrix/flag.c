// A thread hands a value over by an atomic flag. RIGHT: the flag is set after the value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int value;
static atomic_int ready;

static void *produce(void *none) {
#ifdef RIGHT
    value = 42;
    atomic_store(&ready, 1);
#else
    atomic_store(&ready, 1);
    value = 42;
#endif
    return none;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    if (atomic_load(&ready)) assert(value == 42);
    pthread_join(producer, NULL);
}
