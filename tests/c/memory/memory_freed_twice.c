// expect: UNSAFE
// flags: -p valid-memsafety -e impact
// Both threads may find it there.
#include <pthread.h>
#include <stdlib.h>
static int *g;
static void *freer(void *unused) {
    int *mine = g;
    g = 0;
    free(mine);
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
