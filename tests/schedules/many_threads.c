// Threads are created and joined one after the other; their stacks are used again.
// broken: no-data-race
// flags: --runs 50
#include <pthread.h>

static int n;

static void *work(void *a) {
    volatile int local = 0;
    for (int i = 0; i < 10; i++) local++;
    n++;
    return a;
}

int main(void) {
    for (int i = 0; i < 40; i++) {
        pthread_t t;
        pthread_create(&t, NULL, work, NULL);
#ifdef BROKEN
        if (i == 20) n++;
#endif
        pthread_join(t, NULL);
    }
    return n == 7;
}
