// expect: SAFE
// The sum is computed before the write, and used after it: it faults before it.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

int x, most = INT_MAX, sum;

int set(int value) {
    x = value;
    return 0;
}

void *watch(void *argument) {
    assert(x == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    sum = (most + 1) + set(1);
    return 0;
}
