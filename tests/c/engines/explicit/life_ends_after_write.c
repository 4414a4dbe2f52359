// expect: UNSAFE assertion *place != 5 fails
// The local lives until the function returns, which others may see after its last write.
// flags: --engine explicit
#include <assert.h>
#include <pthread.h>

int *place;
int ready;

void *show(void *argument) {
    int local = 5;
    place = &local;
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
