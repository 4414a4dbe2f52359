// expect: UNSAFE neither happens before the other
// flags: -p no-data-race
/* The fence is missing that would order the last access of one and the sum of the other. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int users = 2;
int shared[2], sum;
static void leave(void) {
    if (atomic_fetch_sub_explicit(&users, 1, memory_order_release) == 1) {
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
