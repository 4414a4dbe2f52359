// expect: UNKNOWN there is no data race if every atomic access acquires and releases; this one does not
// flags: -p no-data-race
#include <pthread.h>
#include <stdatomic.h>
typedef struct { long a, b, c; } Three;
static _Atomic Three shared;
static int data;
static void *reader(void *unused) {
    Three mine = atomic_load_explicit(&shared, memory_order_relaxed);
    if (mine.a) data++;
    return unused;
}
int main(void) {
    pthread_t t;
    Three mine = {1, 2, 3};
    pthread_create(&t, 0, reader, 0);
    data = 5;
    atomic_store(&shared, mine);
    pthread_join(t, 0);
}
