// broken: valid-memsafety no-data-race
#include <pthread.h>
#include <stdlib.h>

static void *work(void *a) {
    *(int *)a = 1;
    return a;
}

int main(void) {
    pthread_t t;
    int *n = malloc(sizeof *n);
    pthread_create(&t, NULL, work, n);
#ifdef BROKEN
    free(n);
    pthread_join(t, NULL);
#else
    pthread_join(t, NULL);
    free(n);
#endif
    return 0;
}
