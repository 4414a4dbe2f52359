// expect: UNSAFE
/* pthread_exit deep inside calls ends the thread at once: what its callers would still do is not done. */
#include <assert.h>
#include <pthread.h>

static int reached;

static void inner(int n) {
    reached++;
    if (n > 0) pthread_exit(NULL);
    reached += 10;
}

static void outer(int n) {
    inner(n);
    reached += 100;
}

static void *worker(void *unused) {
    (void)unused;
    outer(1);
    reached += 1000;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(reached != 1);
    return 0;
}
