// expect: SAFE
/* LockBitCnt: a lock of one bit, and the first thread counts its rounds without bound. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int inside;

static void acquire(void) {
    while (atomic_exchange(&taken, 1)) {
    }
}

static void *counter(void *unused) {
    long rounds = 0;
    (void)unused;
    for (;;) {
        if (rounds < 1000000000) rounds++;
        assert(rounds > 0);
        acquire();
        inside++;
        assert(inside == 1);
        inside--;
        taken = 0;
    }
    return NULL;
}

static void *other(void *unused) {
    (void)unused;
    for (;;) {
        acquire();
        inside++;
        assert(inside == 1);
        inside--;
        taken = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, counter, NULL);
    pthread_create(&id[1], NULL, other, NULL);
    for (int i = 0; i < 2; i++) pthread_join(id[i], NULL);
    return 0;
}
