// expect: UNSAFE
// flags: --property no-deadlock
// A thread that asks to read what it holds for writing may get EDEADLK, but it may also wait for ever.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_rdlock(&l);
    return 0;
}
