// expect: SAFE
// flags: -p unreach-call --engine threader
/* Each thread must know where the other is: the lock does not say who has it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken, inside;

static void *first(void *unused) {
    if (atomic_exchange(&taken, 1)) return unused;
    inside = 1;
    assert(inside == 1);
    return unused;
}

static void *second(void *unused) {
    if (atomic_exchange(&taken, 1)) return unused;
    inside = 2;
    assert(inside == 2);
    return unused;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, first, NULL);
    pthread_create(&id[1], NULL, second, NULL);
    return 0;
}
