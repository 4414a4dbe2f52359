// expect: UNKNOWN a request orders nothing
// flags: --property no-data-race
// That a thread is asked to end is no reason for it to see what was written before.
#include <pthread.h>
#include <unistd.h>

static int x;

static void clean(void *unused) {
    (void)unused;
    x = 2;
}
static void *worker(void *unused) {
    pthread_cleanup_push(clean, NULL);
    for (;;) pause();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    x = 1;
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
