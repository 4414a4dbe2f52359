// expect: SAFE none has a data race [H1111]
// flags: -p no-data-race
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *writer(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire)) data++;
    pthread_join(t, NULL);
    return 0;
}
