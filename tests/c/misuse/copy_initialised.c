// expect: UNSAFE use of a mutex that is a copy, or was never initialised
// flags: -p valid-memsafety
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m), *n = malloc(sizeof *n);
    pthread_mutex_init(m, 0);
    *n = *m;
    pthread_mutex_lock(n);
}
