// expect: UNSAFE neither happens before the other
// flags: -p no-data-race
/* A spin lock that acquires when it is taken and does not release when it is left does not keep accesses apart. */
#include <pthread.h>
#include <stdatomic.h>
atomic_flag taken = ATOMIC_FLAG_INIT;
int x;
void *f(void *p) {
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) {}
    x++;
    atomic_flag_clear_explicit(&taken, memory_order_relaxed);
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
