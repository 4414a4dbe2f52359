// broken: no-deadlock
#include <pthread.h>

static pthread_mutex_t lock;
static int n;

static void add(int times) {
    pthread_mutex_lock(&lock);
    n++;
    if (times) add(times - 1);
    pthread_mutex_unlock(&lock);
}

static void *work(void *a) {
    add(2);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
#ifdef BROKEN
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_NORMAL);
#else
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
#endif
    pthread_mutex_init(&lock, &a);
    pthread_create(&t, NULL, work, NULL);
    add(1);
    pthread_join(t, NULL);
    return 0;
}
