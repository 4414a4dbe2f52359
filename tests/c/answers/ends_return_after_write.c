// expect: UNSAFE assertion 0 fails
// Between the last write of main and the end of the process another thread may look.
#include <assert.h>
#include <pthread.h>

int done;

void *watch(void *argument) {
    if (done) assert(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    done = 1;
    return 0;
}
