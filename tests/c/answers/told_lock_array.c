// expect: UNSAFE thread 2 (one) waits at told_lock_array.c:11 for the lock m[1], which is held by thread 3 (one)
// flags: -p no-deadlock -e explicit
// Which of the locks it is.
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *one(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&m[i]);
    pthread_mutex_lock(&m[1 - i]);
    pthread_mutex_unlock(&m[1 - i]);
    pthread_mutex_unlock(&m[i]);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, (void *)0);
    pthread_create(&b, NULL, one, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
