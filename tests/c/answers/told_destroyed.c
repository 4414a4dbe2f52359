// expect: UNSAFE the mutex is m[1]
// flags: -p valid-memsafety -e explicit
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

int main(void) {
    volatile int i = 1;
    pthread_mutex_destroy(&m[i]);
    pthread_mutex_lock(&m[i]);
    return 0;
}
