// Copies of memory are accesses of all its bytes.
// broken: no-data-race
#include <pthread.h>
#include <string.h>

static char from[100], to[100];

static void *work(void *a) {
    memcpy(to, from, sizeof to);
    return a;
}

int main(void) {
    pthread_t t;
    memset(from, 'x', sizeof from);
    pthread_create(&t, NULL, work, NULL);
#ifdef BROKEN
    to[99] = 'y';
#endif
    pthread_join(t, NULL);
    return to[99] != 'x';
}
