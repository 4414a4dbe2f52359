// The program has a function of its own with a name of the C library.
// broken: unreach-call
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls;

ssize_t read(int fd, void *to, size_t n) {
    (void)fd, (void)to;
    pthread_mutex_lock(&lock);
    calls++;
    pthread_mutex_unlock(&lock);
    return (ssize_t)n;
}

static void *work(void *a) {
    char c;
    return read(7, &c, 1) == 1 ? a : NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifndef BROKEN
    pthread_join(t, NULL);
#endif
    pthread_mutex_lock(&lock);
    assert(calls == 1);
    pthread_mutex_unlock(&lock);
    return 0;
}
