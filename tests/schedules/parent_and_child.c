// What the creator does before a creation is ordered before the thread; what it does afterwards is not.
// broken: no-data-race
#include <pthread.h>

static int n;

static void *work(void *a) {
    n++;
    return a;
}

int main(void) {
    pthread_t t;
    n = 1;
    pthread_create(&t, NULL, work, NULL);
#ifdef BROKEN
    n = 2;
#endif
    pthread_join(t, NULL);
    n = 3;
    return 0;
}
