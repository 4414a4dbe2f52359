// expect: UNSAFE use of a mutex that was never initialised
// flags: -p valid-memsafety
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    free(m);
}
