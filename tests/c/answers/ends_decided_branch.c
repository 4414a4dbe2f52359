// expect: UNSAFE assertion x != 3 fails
// Whether the process ends is known beforehand; what was written before it is there to be seen all the same.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void *watch(void *argument) {
    assert(x != 3);
    return NULL;
}

int main(void) {
    int over = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    x = 3;
    if (over == 1) exit(0);
    return 0;
}
