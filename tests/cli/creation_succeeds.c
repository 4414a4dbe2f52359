#include <pthread.h>
#include <stddef.h>
int __VERIFIER_nondet_int(void);
static int shared;

static void *work(void *x) {
    shared++;
    return x;
}

int main(void) {
    pthread_t t;
    int *p = &shared;
    if (pthread_create(&t, 0, work, 0)) p = NULL;
    else pthread_join(t, 0);
    *p = 1;
    return 0;
}
