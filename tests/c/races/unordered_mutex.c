// expect: UNSAFE neither happens before the other
// flags: -p no-data-race
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turn;
static int data;

static void *writer(void *unused) {
    (void)unused;
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
        atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed);
        data++;
    }
    pthread_join(t, NULL);
    return 0;
}
