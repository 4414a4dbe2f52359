// expect: UNSAFE the mutex is m, which is held by main
// flags: -p valid-memsafety -e explicit
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, one, NULL);
    pthread_join(t, NULL);
    return 0;
}
