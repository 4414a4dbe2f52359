// expect: UNSAFE use of a mutex that was never initialised
// flags: -p valid-memsafety
// These bytes look like a destroyed mutex. Nobody has destroyed it.
#include <pthread.h>
#include <string.h>

int main(void) {
    pthread_mutex_t m;
    memset(&m, 0xff, sizeof m);
    pthread_mutex_unlock(&m);
    return 0;
}
