// expect: SAFE
/* A thread that starts a thread, and waits for it. */
#include <assert.h>
#include <pthread.h>

static int log_[3], entries;

static void *inner(void *unused) {
    (void)unused;
    log_[entries++] = 1;
    return NULL;
}

static void *outer(void *unused) {
    pthread_t thread;
    pthread_create(&thread, NULL, inner, NULL);
    pthread_join(thread, NULL);
    log_[entries++] = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
    log_[entries++] = 3;
    assert(log_[0] == 1 && log_[1] == 2 && log_[2] == 3);
    return 0;
}
