// expect: UNKNOWN pthread_exit between pthread_cleanup_push and pthread_cleanup_pop
// Then the routine runs, too.
#include <assert.h>
#include <pthread.h>

static void fail(void *argument) { assert(argument); }

int main(void) {
    pthread_cleanup_push(fail, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}
