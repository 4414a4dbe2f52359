// Bytes of one word are different places.
// broken: no-data-race
#include <pthread.h>

static char bytes[8];

static void *work(void *a) {
    bytes[3] = 1;
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifdef BROKEN
    bytes[3] = 2;
#else
    bytes[4] = 2;
#endif
    pthread_join(t, NULL);
    return bytes[3] == 7;
}
