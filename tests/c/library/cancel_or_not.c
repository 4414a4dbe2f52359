// expect: SAFE
// The thread ends at the cancellation point, or was past it when it was asked to.
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *unused) {
    x = 1;
    pthread_testcancel();
    x = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    assert(pthread_cancel(thread) == 0);
    pthread_join(thread, &result);
    assert(x == (result == PTHREAD_CANCELED ? 1 : 2));
    return 0;
}
