// expect: SAFE
// flags: -p no-data-race
// A relaxed counter orders nothing, but only one thread can be the first.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int tickets;
static int shared;
static void *worker(void *unused) {
    if (atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed) == 0) shared = 1;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return shared;
}
