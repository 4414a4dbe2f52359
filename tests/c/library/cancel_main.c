// expect: UNSAFE
// main is cancelled; the process goes on.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_t first;

static void *worker(void *unused) {
    void *result;
    pthread_cancel(first);
    pthread_join(first, &result);
    assert(result != PTHREAD_CANCELED);
    return unused;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, NULL, worker, NULL);
    for (;;) sleep(1);
}
