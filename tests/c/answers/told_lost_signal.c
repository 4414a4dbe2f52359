// expect: UNSAFE signals w.c, for which no thread waits
// flags: -p no-deadlock -e explicit
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct { int n; pthread_cond_t c; } w = {0, PTHREAD_COND_INITIALIZER};

static void *one(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_cond_wait(&w.c, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    pthread_cond_signal(&w.c);
    pthread_join(t, NULL);
    return 0;
}
