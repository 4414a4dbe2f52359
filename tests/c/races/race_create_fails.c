// expect: UNSAFE data race
// flags: -p no-data-race
// Where the second thread cannot be created, main does not wait for the first.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) {
    ++*(int *)arg;
    return arg;
}
int main(void) {
    pthread_t t, u;
    int *p = calloc(1, sizeof *p);
    pthread_create(&t, 0, f, p);
    pthread_join(t, 0);
    pthread_create(&t, 0, f, p);
    if (pthread_create(&u, 0, f, calloc(1, sizeof *p))) free(p);
    return 0;
}
