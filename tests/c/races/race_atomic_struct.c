// expect: SAFE
// flags: -p no-data-race
// An atomic object that the machine has no instructions for.
#include <pthread.h>
#include <stdatomic.h>
typedef struct { long a, b, c; } Three;
static _Atomic Three shared;
static void *writer(void *unused) {
    Three mine = {1, 2, 3};
    shared = mine;
    mine = atomic_exchange(&shared, mine);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    Three mine = shared;
    pthread_join(t, 0);
    return mine.a == 4;
}
