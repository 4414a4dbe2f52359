// expect: SAFE
// flags: -p valid-memsafety
// An error-checking mutex says so, which is no misuse.
#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int main(void) {
    return pthread_mutex_unlock(&m) == 0;
}
