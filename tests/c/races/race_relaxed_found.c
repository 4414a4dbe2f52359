// expect: UNSAFE
// flags: -p no-data-race
// A relaxed counter, and a race that is there in every order.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static int data;
static void *adder(void *unused) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    data = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, adder, 0);
    data = 2;
    pthread_join(t, 0);
}
