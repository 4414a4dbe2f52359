// expect: UNSAFE
// Output may be a cancellation point.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int x;

static void *worker(void *unused) {
    pthread_cancel(pthread_self());
    printf("here\n");
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(x == 1);
    return 0;
}
