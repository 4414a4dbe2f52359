// expect: UNSAFE initialisation of an object that is initialised already
// flags: -p valid-memsafety
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    pthread_mutex_init(m, 0);
    pthread_mutex_destroy(m);
    free(m);
}
