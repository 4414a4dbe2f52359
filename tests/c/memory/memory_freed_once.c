// expect: SAFE
// flags: -p valid-memsafety -e redcomp --second-solver
#include <pthread.h>
#include <stdlib.h>
static int *g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *freer(void *unused) {
    pthread_mutex_lock(&m);
    int *mine = g;
    g = 0;
    free(mine);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t s, t;
    g = malloc(sizeof *g);
    pthread_create(&s, 0, freer, 0);
    pthread_create(&t, 0, freer, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
}
