// main ends by pthread_exit; the last thread ends the process.
// broken: no-data-race
#include <pthread.h>

static int n;

static void *work(void *a) {
    n++;
    return a;
}

int main(void) {
    pthread_t t;
    n = 1;
    pthread_create(&t, NULL, work, NULL);
#ifdef BROKEN
    n++;
#endif
    pthread_exit(NULL);
}
