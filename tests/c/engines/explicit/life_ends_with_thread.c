// expect: UNSAFE assertion *place != 5 fails
// A thread-local variable lives until its thread ends, which others may see after its last write.
// flags: --engine explicit
#include <assert.h>
#include <pthread.h>

_Thread_local int own = 5;
int *place;
int ready;

void *show(void *argument) {
    place = &own;
    ready = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, show, NULL);
    if (ready) assert(*place != 5);
    pthread_join(thread, NULL);
    return 0;
}
