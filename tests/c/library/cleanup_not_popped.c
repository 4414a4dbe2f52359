// expect: UNSAFE
// A thread that ends between push and pop: the routine runs.
#include <assert.h>
#include <pthread.h>

static void fail(void *argument) { assert(argument); }

int main(void) {
    pthread_cleanup_push(fail, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}
