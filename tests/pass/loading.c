// pass: promote
// pass: jump-threading
// pass: clean
// pass: count-threads
// pass: unspecified-values
// pass: clean-unspecified
/* A local and a global in memory, a branch that is decided before, a comparison of addresses that C leaves open, threads from a loop. */
#include <pthread.h>
extern void reach_error(void);
static int a, b, turns;

static void *turn(void *arg) {
    turns++;
    return arg;
}

int main(void) {
    int flag = 0;
    pthread_t t;
    if (&a < &b) flag = 1;
    if (flag) a = 2;
    pthread_create(&t, NULL, turn, NULL);
    for (int i = 0; i < 2; i++) pthread_create(&t, NULL, turn, NULL);
    if (a == 3) reach_error();
    return 0;
}
