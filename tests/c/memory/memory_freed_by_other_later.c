// expect: SAFE
// flags: -p valid-memsafety -e weave --second-solver
#include <pthread.h>
#include <stdlib.h>
static int *g;
static void *freer(void *unused) {
    free(g);
    return unused;
}
int main(void) {
    pthread_t t;
    g = malloc(sizeof *g);
    *g = 1;
    pthread_create(&t, 0, freer, 0);
    pthread_join(t, 0);
}
