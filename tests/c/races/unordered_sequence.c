// expect: UNSAFE neither happens before the other
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

static void *middle(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&ready, memory_order_relaxed) == 1) atomic_store_explicit(&ready, 2, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, writer, NULL);
    pthread_create(&u, NULL, middle, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire) == 2) data++;
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
