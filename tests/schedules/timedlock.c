// A lock that expires is not held.
// broken: no-data-race
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *add(void *a) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    int failed = pthread_mutex_timedlock(&lock, &until);
#ifdef BROKEN
    n++;
#else
    if (!failed) n++;
#endif
    if (!failed) pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 0;
}
