// expect: UNSAFE
/* Testing and setting in two steps is no lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool busy;
static int counter;

static void *worker(void *unused) {
    (void)unused;
    while (atomic_load(&busy)) {
    }
    atomic_store(&busy, true);
    counter++;
    atomic_store(&busy, false);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
