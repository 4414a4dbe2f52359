// expect: UNKNOWN a pointer to a library function that is a cancellation point
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int x;
static unsigned (*pause_for)(unsigned) = sleep;

static void *worker(void *unused) {
    pause_for(1);
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
