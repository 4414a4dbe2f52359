// A wait in place of a loop: it may wake up without a signal.
// broken: unreach-call
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int n;

static void *consume(void *a) {
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    if (!n) pthread_cond_wait(&ready, &lock);
#else
    while (!n) pthread_cond_wait(&ready, &lock);
#endif
    assert(n > 0);
    n--;
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        n++;
        pthread_cond_signal(&ready);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
