// expect: UNSAFE x = 7 (uninitialised)
/* A local that is never written may hold the one value that matters. */
#include <assert.h>
#include <pthread.h>

static int shared;

static void *worker(void *unused) {
    int x;
    shared = 1;
    if (x == 7) assert(shared != 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
