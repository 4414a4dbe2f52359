// expect: SAFE
/* LockBit: a lock of one bit, taken by an atomic test-and-set. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int inside;

static void *worker(void *unused) {
    (void)unused;
    for (;;) {
        while (atomic_exchange(&taken, 1)) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        taken = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t id[2];
    for (int i = 0; i < 2; i++) pthread_create(&id[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(id[i], NULL);
    return 0;
}
