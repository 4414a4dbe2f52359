// expect: SAFE
/* Bit-fields, signed and unsigned, under a lock. */
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned red : 3, green : 5;
    signed blue : 4;
    unsigned long long wide : 40;
} flags;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    flags.red += 5;
    flags.green++;
    flags.blue -= 3;
    flags.wide += 1ull << 39;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(flags.red == 2 && flags.green == 2 && flags.blue == -6 && flags.wide == 0);
    return 0;
}
