// expect: UNSAFE assertion x != 7 fails
#include <assert.h>
#include <pthread.h>

int x;

void *watch(void *argument) {
    assert(x != 7);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    x = 7;
    __builtin_trap();
}
