// expect: UNSAFE
// One thread detaches itself, the other can be waited for.
#include <assert.h>
#include <pthread.h>

static int n;

static void *alone(void *argument) {
    pthread_detach(pthread_self());
    n++;
    return argument;
}
static void *work(void *argument) {
    n++;
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, alone, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(b, 0);
    assert(n != 2);
    return 0;
}
