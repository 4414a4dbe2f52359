// expect: UNSAFE
// A thread that waits for the end of another one may be cancelled there.
#include <assert.h>
#include <pthread.h>

static pthread_t other;
static int x;

static void *does(void *unused) { return unused; }
static void cleans(void *unused) {
    (void)unused;
    x = 1;
}
static void *waits(void *unused) {
    pthread_cleanup_push(cleans, NULL);
    pthread_join(other, NULL);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t waiter;
    pthread_create(&other, NULL, does, NULL);
    pthread_create(&waiter, NULL, waits, NULL);
    pthread_cancel(waiter);
    pthread_join(waiter, NULL);
    assert(x == 0);
    return 0;
}
