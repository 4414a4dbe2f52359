// expect: SAFE the program has no assertion
// flags: -q --timeout 5
/* Many states, and nothing to look for in them. */
#include <pthread.h>
#include <stdlib.h>

static int x[8];

static void *work(void *a) {
    for (int i = 0; i < 8; i++) x[i] += rand();
    return a;
}

int main(void) {
    pthread_t t[7];
    for (int i = 0; i < 7; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 7; i++) pthread_join(t[i], 0);
    return 0;
}
