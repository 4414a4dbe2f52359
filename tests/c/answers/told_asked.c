// expect: UNSAFE asks thread 2 (one) to end
// flags: -p no-deadlock -e explicit
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *one(void *unused) {
    (void)unused;
    // clang-format off
    pthread_mutex_lock(&a), pthread_cond_wait(&c, &a);
    // clang-format on
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}
