// expect: UNSAFE
/* A detached thread may do its work at any time, also after main has looked. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *worker(void *unused) {
    (void)unused;
    done = 1;
    return NULL;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, worker, NULL);
    pthread_attr_destroy(&attributes);
    assert(done == 1);
    return 0;
}
