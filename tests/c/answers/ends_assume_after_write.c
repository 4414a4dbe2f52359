// expect: UNSAFE assertion x != 3 fails
// An assumption that is false ends the execution, but what was written before it was there to be seen.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int x;

void *watch(void *argument) {
    assert(x != 3);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    x = 3;
    __VERIFIER_assume(0);
}
