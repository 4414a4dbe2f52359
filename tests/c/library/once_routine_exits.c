// expect: UNSAFE
// A routine that ends its thread has not run: the next one to come calls it.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n;

static void routine(void) {
    if (n++ == 0) pthread_exit(0);
}
static void *work(void *argument) {
    pthread_once(&once, routine);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(n != 2);
    return 0;
}
