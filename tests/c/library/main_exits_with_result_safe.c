// expect: SAFE
// Another thread gets the result with which main ends its thread.
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static int x;

static void *worker(void *unused) {
    void *result;
    pthread_join(first, &result);
    assert(result == &x);
    return unused;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, 0, worker, 0);
    pthread_exit(&x);
}
