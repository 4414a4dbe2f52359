// expect: SAFE undefined behaviour: join or detach of a thread that does not exist
#include <assert.h>
#include <pthread.h>

static void *work(void *argument) { return argument; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    pthread_join(thread, 0);
    assert(0);
    return 0;
}
