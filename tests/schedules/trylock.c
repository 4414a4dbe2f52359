// The thread that does not get the lock must not use what it protects.
// broken: no-data-race
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *add(void *a) {
    int failed = pthread_mutex_trylock(&lock);
#ifdef BROKEN
    n++;
#else
    if (!failed) n++;
#endif
    if (!failed) pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
