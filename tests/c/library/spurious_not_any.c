// expect: UNSAFE assertion first != 2 fails
// flags: --no-spurious-wakeups
// A signal may wake any of those that wait, not only the first.
#include <assert.h>
#include <threads.h>

mtx_t m;
cnd_t c;
int waiting, first;

static int waiter(void *argument) {
    mtx_lock(&m);
    int me = ++waiting;
    cnd_wait(&c, &m);
    if (!first) first = me;
    assert(first != 2);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t, u;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, waiter, 0);
    thrd_create(&u, waiter, 0);
    mtx_lock(&m);
    if (waiting == 2) cnd_signal(&c);
    mtx_unlock(&m);
    thrd_join(t, 0);
    return 0;
}
