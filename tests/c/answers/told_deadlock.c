// expect: UNSAFE thread 2 (one) waits at told_deadlock.c:10 for the lock b, which is held by main
// flags: -p no-deadlock -e explicit
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(t, NULL);
    return 0;
}
