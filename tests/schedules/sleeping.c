// To sleep orders nothing.
// broken: no-data-race
#include <pthread.h>
#include <unistd.h>

static int n;

static void *work(void *a) {
    n++;
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    sleep(1);
#ifndef BROKEN
    pthread_join(t, NULL);
#endif
    return n == 7;
}
