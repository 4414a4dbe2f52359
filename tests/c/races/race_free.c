// expect: UNSAFE data race: 
// flags: -p no-data-race
/* One thread frees what the other reads, far from its beginning. */
#include <pthread.h>
#include <stdlib.h>
int *a;
void *f(void *p) {
    free(a);
    return p;
}
void *g(void *p) {
    return a[5] ? p : 0;
}
int main(void) {
    pthread_t t, u;
    a = calloc(8, sizeof *a);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
