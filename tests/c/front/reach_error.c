// expect: UNSAFE
/* The names that verification tasks use: __VERIFIER_assume, reach_error with an empty body. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int x, y;

static void *worker(void *unused) {
    (void)unused;
    y = x;
    x = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input > 0);
    x = input;
    pthread_create(&thread, NULL, worker, NULL);
    if (x == 0 && y != 0) reach_error();
    pthread_join(thread, NULL);
    return 0;
}
