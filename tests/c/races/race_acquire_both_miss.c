// expect: UNKNOWN under C11 this access races with line 15, in an execution that Heddle cannot replay [H0890]
// flags: -p no-data-race
// No interleaving has it, but C11: both loads may miss the other thread's store.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int shared;
static void *first(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_release);
    if (atomic_load_explicit(&y, memory_order_acquire) == 0) shared++;
    return unused;
}
static void *second(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_release);
    if (atomic_load_explicit(&x, memory_order_acquire) == 0) shared++;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
