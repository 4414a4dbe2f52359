// broken: no-data-race
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int n;

static void *work(void *a) {
    int failed = pthread_rwlock_trywrlock(&lock);
#ifdef BROKEN
    n++;
#else
    if (!failed) n++;
#endif
    if (!failed) pthread_rwlock_unlock(&lock);
    if (!pthread_rwlock_tryrdlock(&lock)) {
        int seen = n;
        pthread_rwlock_unlock(&lock);
        return seen ? a : NULL;
    }
    return a;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
