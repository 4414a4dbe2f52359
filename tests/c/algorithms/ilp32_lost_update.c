// expect: UNSAFE
// flags: --data-model ILP32
/* A 64-bit counter in the 32-bit data model, unlocked. */
#include <assert.h>
#include <pthread.h>

static long long counter;

static void *worker(void *unused) {
    (void)unused;
    counter += 0x100000001;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 0x200000002);
    return 0;
}
