// expect: SAFE
/* LockBitCnt of the Threader paper: under a lock of one bit, a counter is incremented and must not be decremented by the other. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *increment(void *unused) {
    while (atomic_exchange(&lock, 1)) {
    }
    count++;
    assert(count == 1);
    count--;
    lock = 0;
    return unused;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, increment, NULL);
    pthread_create(&id[1], NULL, increment, NULL);
    return 0;
}
