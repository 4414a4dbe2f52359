// expect: SAFE
/* As fig2_cex.c, with the fix: the new thread waits for a lock that its creator holds until the handle is set. */
#include <assert.h>
#include <pthread.h>

static int handle; /* 0: not there yet */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    int state = handle;
    pthread_mutex_unlock(&lock);
    assert(state != 0);
    return NULL;
}

int main(void) {
    pthread_t id;
    pthread_mutex_lock(&lock);
    pthread_create(&id, NULL, run, NULL);
    handle = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(id, NULL);
    return 0;
}
