// expect: UNSAFE
/* Any number but zero says that two threads are the same. */
#include <assert.h>
#include <pthread.h>

int main(void) {
    assert(pthread_equal(pthread_self(), pthread_self()) == 1);
    return 0;
}
