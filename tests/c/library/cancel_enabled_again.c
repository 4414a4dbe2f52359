// expect: SAFE
// A request stays until the thread lets itself be cancelled, and comes to a cancellation point.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int x;

static void *worker(void *unused) {
    int old, older;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_cancel(pthread_self());
    sleep(1);
    x = 1;
    pthread_setcancelstate(old, &older);
    assert(older == PTHREAD_CANCEL_DISABLE);
    x = 2;
    sleep(1);
    x = 3;
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    assert(x == 2 && result == PTHREAD_CANCELED);
    return 0;
}
