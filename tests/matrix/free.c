// A thread reads what another one frees. RIGHT: it is freed after the join.
#include <pthread.h>
#include <stdlib.h>

static int seen;

static void *read_it(void *p) {
    seen = *(int *)p;
    return NULL;
}

int main(void) {
    int *p = malloc(sizeof *p);
    pthread_t reader;
    if (!p) return 0;
    *p = 1;
    pthread_create(&reader, NULL, read_it, p);
#ifndef RIGHT
    free(p);
#endif
    pthread_join(reader, NULL);
#ifdef RIGHT
    free(p);
#endif
}
