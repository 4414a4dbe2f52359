// expect: UNSAFE assertion x == 0 fails
// So has the one before an access out of the bounds of a local array.
#include <assert.h>
#include <pthread.h>

int x;

void *watch(void *argument) {
    assert(x == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int a[2] = {0, 0}, i = 5;
    pthread_create(&thread, NULL, watch, NULL);
    x = 1;
    a[i] = 3;
    return a[0];
}
