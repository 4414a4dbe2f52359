// expect: UNSAFE
// flags: -e impact --arith int
/* … of a number that two threads write. */
#include <assert.h>
#include <pthread.h>
static unsigned shared;

static void *worker(void *unused) {
    shared = 4;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    unsigned n = shared;
    assert((((n & 7u) + 9u) & ~3u) - 9u < 100u);
    pthread_join(t, 0);
    return 0;
}
