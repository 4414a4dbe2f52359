// expect: UNSAFE
/* The new thread may run before its number is stored. */
#include <assert.h>
#include <pthread.h>

static pthread_t thread;

static void *worker(void *unused) {
    (void)unused;
    assert(pthread_equal(thread, pthread_self()));
    return NULL;
}

int main(void) {
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
