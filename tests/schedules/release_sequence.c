// An increment by another thread goes on with the release sequence of the store; a plain store does not.
// broken: no-data-race
// flags: --runs 1000
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *produce(void *a) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return a;
}

static void *pass_on(void *a) {
    if (atomic_load_explicit(&flag, memory_order_relaxed) != 1) return a;
#ifdef BROKEN
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#endif
    return a;
}

int main(void) {
    pthread_t t[2];
    int seen = 1;
    pthread_create(&t[0], NULL, produce, NULL);
    pthread_create(&t[1], NULL, pass_on, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2) seen = data;
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return !seen;
}
