// expect: SAFE
// A thread that has ended is asked to; one that is created later is not.
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *worker(void *unused) {
    pthread_testcancel();
    x++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    while (!x) {}
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
