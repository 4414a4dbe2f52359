// expect: UNSAFE
/* The locks of two streams exclude no thread. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int x;
static void *worker(void *a) {
    flockfile(stderr);
    x = 1;
    x = 0;
    funlockfile(stderr);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    flockfile(stdout);
    assert(x == 0);
    funlockfile(stdout);
}
