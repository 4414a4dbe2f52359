// expect: SAFE
// flags: -p no-data-race
// A compare-exchange that fails only reads, and so does not race with a plain read.
#include <pthread.h>

static int flag, seen;

static void *changer(void *x) {
    int expected = 5;
    __atomic_compare_exchange_n(&flag, &expected, 6, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, changer, 0);
    seen = flag;
    pthread_join(t, 0);
    return 0;
}
