// expect: UNSAFE neither happens before the other
// flags: -p no-data-race -e explicit
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
    if (atomic_load_explicit(&ready, memory_order_relaxed)) data++;
    pthread_join(t, NULL);
    return 0;
}
