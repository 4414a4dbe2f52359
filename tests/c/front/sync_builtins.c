// expect: SAFE
/* The old __sync builtins: a lock of test_and_set and release, a compare-and-swap loop, an atomic addition. */
#include <assert.h>
#include <pthread.h>

static volatile int lock, shared, swapped, added;

static void *worker(void *unused) {
    (void)unused;
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    shared = shared + 1;
    __sync_lock_release(&lock);

    int old;
    do old = swapped;
    while (!__sync_bool_compare_and_swap(&swapped, old, old + 2));

    __sync_fetch_and_add(&added, 3);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(shared == 2 && swapped == 4 && added == 6);
    return 0;
}
