// expect: UNSAFE
// A request that is there at a cancellation point is acted on: the thread may not get to what comes after it.
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *unused) {
    (void)unused;
    pthread_testcancel();
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(x == 1);
    return 0;
}
