// expect: UNSAFE unreach-call
/* A driver that is stopped while requests may still come in. The request checks the flag before it registers itself, so
   the driver can be torn down between the two. Registering first, then checking, is the cure. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool stopping, stopped;
static atomic_int pending = 1; /* one for the driver itself */

static void release(void) {
    if (atomic_fetch_sub(&pending, 1) == 1) stopped = true;
}

static void *request(void *unused) {
    (void)unused;
    if (stopping) return NULL;
    atomic_fetch_add(&pending, 1);
    assert(!stopped); /* the work */
    release();
    return NULL;
}

static void *stop(void *unused) {
    (void)unused;
    stopping = true;
    release();
    return NULL;
}

int main(void) {
    pthread_t user, stopper;
    pthread_create(&user, NULL, request, NULL);
    pthread_create(&stopper, NULL, stop, NULL);
    pthread_join(user, NULL);
    pthread_join(stopper, NULL);
    return 0;
}
