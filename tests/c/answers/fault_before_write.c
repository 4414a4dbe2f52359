// expect: SAFE
// The write behind a fault does not happen.
#include <assert.h>
#include <pthread.h>

int x, zero;

void *watch(void *argument) {
    assert(x == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    x = 7 / zero;
    return 0;
}
