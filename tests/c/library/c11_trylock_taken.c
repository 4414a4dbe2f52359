// expect: SAFE
/* … but if it succeeds the mutex is taken, and if it fails it is not. */
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int inside;

static int worker(void *unused) {
    (void)unused;
    if (mtx_trylock(&mutex) == thrd_success) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
        mtx_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, worker, NULL);
    worker(NULL);
    thrd_join(thread, NULL);
    return 0;
}
