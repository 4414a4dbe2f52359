// expect: SAFE
// Telling the processor that a thread spins changes nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int n;

static void *work(void *argument) {
    while (atomic_exchange(&locked, 1))
#if defined __x86_64__ || defined __i386__
        __builtin_ia32_pause();
#else
        ;
#endif
    n++;
    atomic_store(&locked, 0);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
