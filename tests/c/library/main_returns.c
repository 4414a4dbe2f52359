// expect: SAFE
/* When main returns the process ends, and with it the thread that waits for main's end. */
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *waiter(void *unused) {
    (void)unused;
    pthread_join(main_thread, NULL);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    main_thread = pthread_self();
    pthread_create(&thread, NULL, waiter, NULL);
    return 0;
}
