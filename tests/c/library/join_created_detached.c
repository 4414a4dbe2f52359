// expect: SAFE undefined behaviour: join or detach of a thread that does not exist
#include <assert.h>
#include <pthread.h>

static void *work(void *argument) { return argument; }

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, 0);
    pthread_join(thread, 0);
    assert(0);
    return 0;
}
