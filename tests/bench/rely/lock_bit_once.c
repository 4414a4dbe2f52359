// expect: SAFE
/* LockBit of the Threader paper: the lock is one bit, and is taken once. That both are inside is the error. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, inside[2];

static void take(int self) {
    while (atomic_exchange(&lock, 1)) {
    }
    inside[self] = 1;
    assert(!inside[1 - self]);
}

static void *first(void *unused) {
    take(0);
    return unused;
}

static void *second(void *unused) {
    take(1);
    return unused;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, first, NULL);
    pthread_create(&id[1], NULL, second, NULL);
    return 0;
}
