// A function of the C library writes what its argument points to.
// broken: no-data-race
#include <pthread.h>
#include <time.h>

static time_t now;

static void *work(void *a) {
    time(&now);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifdef BROKEN
    time(&now);
#endif
    pthread_join(t, NULL);
    return now == 7;
}
