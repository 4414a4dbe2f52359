// Threads get the address of a variable that main changes.
// broken: no-data-race
#include <pthread.h>

static void *work(void *a) { return *(int *)a ? a : NULL; }

int main(void) {
    pthread_t t[2];
    int number[2], shared = 0;
    for (int i = 0; i < 2; i++) {
        number[i] = shared = i;
#ifdef BROKEN
        pthread_create(&t[i], NULL, work, &shared);
#else
        pthread_create(&t[i], NULL, work, &number[i]);
#endif
    }
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return shared == 7;
}
