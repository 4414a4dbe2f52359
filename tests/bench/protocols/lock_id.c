// expect: SAFE
/* LockId: the lock holds its owner's number; 0 is free. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int inside;

static void *worker(void *argument) {
    int self = *(int *)argument;
    for (;;) {
        int nobody = 0;
        if (!atomic_compare_exchange_strong(&owner, &nobody, self)) continue;
        assert(owner == self);
        inside = self;
        assert(inside == self);
        owner = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t id[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++) pthread_create(&id[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(id[i], NULL);
    return 0;
}
