// broken: no-data-race unreach-call
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *add(void *a) {
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    n++;
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
    return a;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    assert(n == 2);
    return 0;
}
