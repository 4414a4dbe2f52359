// expect: UNKNOWN which no file defines
/* A thread-local variable of another file may start with any value in each thread. */
#include <assert.h>
#include <pthread.h>

extern _Thread_local int own;

static void *worker(void *unused) {
    (void)unused;
    assert(own == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
