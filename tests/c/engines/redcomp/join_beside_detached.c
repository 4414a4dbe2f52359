// expect: SAFE
// flags: -e redcomp
// Where it is plain that the thread to wait for is not the detached one, proofs do not suffer.
#include <assert.h>
#include <pthread.h>

static int n;

static void *alone(void *argument) { return argument; }
static void *work(void *argument) {
    n++;
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, alone, 0);
    pthread_detach(a);
    pthread_create(&b, 0, work, 0);
    pthread_join(b, 0);
    assert(n == 1);
    return 0;
}
