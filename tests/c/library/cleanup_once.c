// expect: SAFE
// What a routine of pthread_once pushed runs before the next thread may call the routine.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inside, calls;

static void out(void *argument) {
    (void)argument;
    inside = 0;
}
static void routine(void) {
    assert(!inside);
    inside = 1;
    pthread_cleanup_push(out, 0);
    if (calls++ == 0) pthread_exit(0);
    pthread_cleanup_pop(1);
}
static void *work(void *argument) {
    pthread_once(&once, routine);
    assert(!inside);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(calls == 2);
    return 0;
}
