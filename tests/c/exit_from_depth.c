// expect: UNSAFE
/* pthread_exit deep inside a call ends the thread: the lock it holds is never given back, and the count is short. */
#include <assert.h>
#include <pthread.h>

static int reached;

static void deep(int n) {
    if (n == 2) pthread_exit(NULL);
    reached++;
    deep(n + 1);
}

static void *worker(void *unused) {
    (void)unused;
    deep(0);
    reached += 10;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(reached != 2);
    return 0;
}
