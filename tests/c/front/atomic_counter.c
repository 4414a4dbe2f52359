// expect: SAFE
/* The lost update cured with an atomic read-modify-write. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *worker(void *unused) {
    (void)unused;
    counter++;
    atomic_fetch_add_explicit(&counter, 2, memory_order_relaxed);
    counter -= 1;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(counter == 6);
    return 0;
}
