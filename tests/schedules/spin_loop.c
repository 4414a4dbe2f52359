// A loop that waits for a variable lets the other threads run.
// broken: no-data-race
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
static volatile int ready;
#else
static atomic_int ready;
#endif

static void *work(void *a) {
    ready = 1;
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    while (!ready) continue;
    pthread_join(t, NULL);
    return 0;
}
