// expect: UNSAFE the mutex is m, which was destroyed at told_destroyer.c:15 by main
// flags: -p valid-memsafety
// Nobody holds a mutex that is destroyed.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *x) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_destroy(&m);
    pthread_join(t, 0);
    return 0;
}
