// broken: no-data-race
#define _GNU_SOURCE
#include <pthread.h>

static int n;

static void *work(void *a) {
    n++;
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int running = pthread_tryjoin_np(t, NULL);
#ifdef BROKEN
    n++;
#else
    if (!running) n++;
#endif
    return running && pthread_join(t, NULL);
}
