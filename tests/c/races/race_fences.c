// expect: SAFE
// flags: -p no-data-race
/* Fences order what relaxed accesses do not: the last one who leaves has seen what the others did. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int users = 2;
int shared[2], sum;
static void leave(void) {
    if (atomic_fetch_sub_explicit(&users, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        sum = shared[0] + shared[1];
    }
}
void *f(void *p) {
    shared[0] = 1;
    leave();
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    shared[1] = 2;
    leave();
    pthread_join(t, 0);
    return 0;
}
