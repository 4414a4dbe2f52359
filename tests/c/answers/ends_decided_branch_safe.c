// expect: SAFE
// The process ends, which is known beforehand, before what would be seen is written.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int x;

void *watch(void *argument) {
    assert(x != 3);
    return NULL;
}

int main(void) {
    int over = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    x = 2;
    __VERIFIER_assume(over != 1);
    x = 3;
    return 0;
}
