// expect: SAFE
/* A one-place mailbox with C11 mutex and condition variable; thrd_exit gives the result. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int box, full;

static int sender(void *unused) {
    (void)unused;
    for (int i = 1; i <= 2; i++) {
        mtx_lock(&mutex);
        while (full) cnd_wait(&changed, &mutex);
        box = i * 100;
        full = 1;
        cnd_broadcast(&changed);
        mtx_unlock(&mutex);
    }
    thrd_exit(7);
}

static int receive(void) {
    mtx_lock(&mutex);
    while (!full) cnd_wait(&changed, &mutex);
    int got = box;
    full = 0;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
    return got;
}

int main(void) {
    thrd_t thread;
    int result, first, second;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, sender, NULL);
    first = receive();
    second = receive();
    thrd_join(thread, &result);
    assert(first == 100 && second == 200 && result == 7);
    return 0;
}
