// expect: UNKNOWN asynchronous cancellation
// A thread that can be cancelled anywhere is not modelled.
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    x = 1;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(x != 1);
    return 0;
}
