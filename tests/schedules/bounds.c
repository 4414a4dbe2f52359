// broken: valid-memsafety
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *list, n;

static void *add(void *a) {
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    list[n] = 1;
#else
    if (n < 2) list[n] = 1;
#endif
    n++;
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t[3];
    list = malloc(2 * sizeof *list);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    free(list);
    return 0;
}
