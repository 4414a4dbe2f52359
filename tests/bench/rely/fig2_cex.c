// expect: UNSAFE
/* An order violation (Lu, Park, Seo, Zhou: Learning from mistakes, Fig. 2): the new thread uses what its creator sets after creating it. */
#include <assert.h>
#include <pthread.h>

static int handle; /* 0: not there yet */

static void *run(void *unused) {
    (void)unused;
    int state = handle;
    assert(state != 0);
    return NULL;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, run, NULL);
    handle = 1;
    pthread_join(id, NULL);
    return 0;
}
