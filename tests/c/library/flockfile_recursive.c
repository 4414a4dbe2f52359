// expect: SAFE
/* A stream has a recursive lock; another stream has another. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int x;
static void *worker(void *a) {
    flockfile(stdout);
    flockfile(stdout);
    x++;
    funlockfile(stdout);
    x++;
    funlockfile(stdout);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (ftrylockfile(stdout) == 0) {
        assert(x == 0 || x == 2);
        funlockfile(stdout);
    }
    pthread_join(t, 0);
    assert(x == 2);
}
