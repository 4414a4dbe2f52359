// broken: no-data-race
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int n;

static void *write_it(void *a) {
#ifdef BROKEN
    pthread_rwlock_rdlock(&lock); /* readers are not ordered with each other */
#else
    pthread_rwlock_wrlock(&lock);
#endif
    n++;
    pthread_rwlock_unlock(&lock);
    return a;
}

static void *read_it(void *a) {
    pthread_rwlock_rdlock(&lock);
    int seen = n;
    pthread_rwlock_unlock(&lock);
    return seen ? a : NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, write_it, NULL);
    pthread_create(&t[1], NULL, read_it, NULL);
    pthread_create(&t[2], NULL, write_it, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 0;
}
