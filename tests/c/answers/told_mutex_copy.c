// expect: UNSAFE writes k, locks k
// flags: -e explicit
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    // clang-format off
    pthread_mutex_t k = m; pthread_mutex_lock(&k);
    // clang-format on
    assert(0);
}
