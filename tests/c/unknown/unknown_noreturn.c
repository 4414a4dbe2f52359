// expect: UNKNOWN leave_thread
/* What does not return may end its thread only: who waits for it goes on. */
#include <assert.h>
#include <pthread.h>

extern _Noreturn void leave_thread(void);

static void *worker(void *unused) {
    (void)unused;
    leave_thread();
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(0);
    return 0;
}
