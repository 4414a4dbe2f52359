// expect: SAFE
/* LockId of the Threader paper: the lock holds its owner's number, and is taken once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void take(int self) {
    for (int nobody = 0; !atomic_compare_exchange_strong(&lock, &nobody, self);) nobody = 0;
    assert(lock == self);
}

static void *first(void *unused) {
    take(1);
    return unused;
}

static void *second(void *unused) {
    take(2);
    return unused;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, first, NULL);
    pthread_create(&id[1], NULL, second, NULL);
    return 0;
}
