// expect: UNKNOWN this one does not
// flags: -p no-data-race
// Each thread has a flag of its own. The life of one does not undo what another has released. (No race: the address is no data.)
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) mail[2];
static int data;
static int ids[2] = {0, 1};

static void *receiver(void *x) {
    int id = *(int *)x;
    atomic_int flag;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&mail[id], &flag, memory_order_release);
    if (id) return x;
    while (atomic_load_explicit(&flag, memory_order_acquire)) continue;
    data++;
    return x;
}

int main(void) {
    pthread_t t[2];
    atomic_int *flag;
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, receiver, &ids[i]);
    data = 1;
    while (!(flag = atomic_load_explicit(&mail[0], memory_order_relaxed))) continue;
    atomic_store_explicit(flag, 0, memory_order_release);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
