// broken: no-data-race
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int n, other;

static int work(void *a) {
    mtx_lock(&lock);
    n++;
    other++;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return a != NULL;
}

int main(void) {
    thrd_t t;
    int result;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&t, work, NULL);
#ifdef BROKEN
    other--;
#endif
    mtx_lock(&lock);
    while (n < 1) cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    thrd_join(t, &result);
    return result;
}
