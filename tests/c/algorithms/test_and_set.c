// expect: SAFE
/* A test-and-set lock with atomic_flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void *worker(void *unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        while (atomic_flag_test_and_set(&busy)) {
        }
        counter++;
        atomic_flag_clear(&busy);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 4);
    return 0;
}
