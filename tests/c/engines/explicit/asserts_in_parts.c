// expect: SAFE all
// flags: -e explicit
/* The second part of the condition is not looked at: the assertion is reached all the same. */
#include <pthread.h>

void reach_error(void);
static int a, b, c;

static void *work(void *x) {
    a = 1;
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    if (a != 1 && b != 5 && c != 5) reach_error();
    return 0;
}
