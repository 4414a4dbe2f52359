// expect: UNSAFE
/* pthread_exit in main ends only the main thread: the other sees it end and goes on. */
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
    pthread_exit(NULL);
}
