// expect: UNKNOWN there is no data race if every atomic access acquires and releases; this one does not [H1112]
// flags: -p no-data-race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turn;
static int data;

static void *writer(void *unused) {
    (void)unused;
    free(malloc(1)); /* so that not all executions of C11 are looked at */
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&turn, memory_order_relaxed)) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        data++;
    }
    pthread_join(t, NULL);
    return 0;
}
