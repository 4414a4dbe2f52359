// expect: UNKNOWN
// flags: --property unreach-call
// A function that no file defines may be a cancellation point.
#include <assert.h>
#include <pthread.h>

int somewhere_else(int);
static int x;

static void *worker(void *unused) {
    somewhere_else(1);
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(x == 1);
    return 0;
}
