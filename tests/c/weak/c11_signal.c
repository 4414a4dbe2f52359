// expect: SAFE
// flags: -p no-deadlock
/* A signal of C11 wakes who waits. */
#include <threads.h>
mtx_t m; cnd_t c; int r;
int t1(void *z) { mtx_lock(&m); r = 1; cnd_signal(&c); mtx_unlock(&m); return 0; }
int main() {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, t1, 0);
    mtx_lock(&m);
    while (!r) cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(t, 0);
    return 0;
}
