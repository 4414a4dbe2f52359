// expect: SAFE
// flags: -p valid-memsafety
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t zero;
int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m), local = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_init(m, 0);
    pthread_mutex_lock(m);
    pthread_mutex_lock(&local);
    pthread_mutex_lock(&zero);
    pthread_mutex_unlock(&zero);
    pthread_mutex_unlock(&local);
    pthread_mutex_unlock(m);
    pthread_mutex_destroy(m);
    pthread_mutex_init(m, 0);
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    pthread_mutex_destroy(m);
    free(m);
}
