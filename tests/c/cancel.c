// expect: UNKNOWN pthread_cancel
/* Cancellation is not modelled, and said so. */
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
    assert(x == 0 || x == 1);
    return 0;
}
