// expect: UNSAFE
// flags: -p unreach-call --memory-model c11
// A thread that goes round for ever does not keep the others from going on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *writer(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    for (;;) {
    }
}

void *reader(void *argument) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    assert(seen == 0);
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(r, 0);
    return 0;
}
