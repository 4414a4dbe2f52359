// expect: UNSAFE
/* Nobody joins the thread, but it may well run before main returns. */
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *worker(void *unused) {
    (void)unused;
    x = 1;
    assert(x == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    x = 2;
    return 0;
}
