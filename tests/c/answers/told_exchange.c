// expect: UNSAFE w: 0 → 1
// flags: -p unreach-call
// The compare-exchange of the thread succeeds, though nobody looks at its result.
#include <assert.h>
#include <pthread.h>
static unsigned long w;

static void *work(void *x) {
    __sync_bool_compare_and_swap(&w, 0, 1);
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    __sync_bool_compare_and_swap(&w, 0, 2);
    pthread_join(t, 0);
    assert(__atomic_load_n(&w, __ATOMIC_SEQ_CST) == 2);
    return 0;
}
