// expect: SAFE
// flags: --memory-model pso
// A store that releases keeps the stores around it in order, though no other thread sees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data, ready;

void *writer(void *p) {
    atomic_int none;
    data = 1;
    atomic_store_explicit(&none, 1, memory_order_release);
    ready = 1;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (ready) assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
