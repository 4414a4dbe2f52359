// expect: UNSAFE access out of bounds
// flags: -p valid-memsafety
/* One byte more than there is, of a large object that another thread knows. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
char *buffer;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
    pthread_mutex_lock(&m);
    memset(buffer, 1, 6001);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    buffer = malloc(6000);
    if (!buffer) return 1;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    free(buffer);
    return 0;
}
