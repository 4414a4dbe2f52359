// expect: SAFE
// flags: -p valid-memsafety
/* Rounds, elements of arrays that are joined in loops, copies of numbers whose variable is used again: each thread is joined once. */
#include <pthread.h>
#include <stdlib.h>
static pthread_t g[2];
static void *worker(void *unused) { return unused; }
static void join_all(pthread_t *t, int n) {
    for (int i = 0; i < n; i++) pthread_join(t[i], 0);
}
int main(void) {
    pthread_t one, copy, *h = malloc(2 * sizeof *h);
    if (!h) return 1;
    for (int i = 0; i < 2; i++) {
        pthread_create(&one, 0, worker, 0);
        pthread_join(one, 0);
    }
    for (int i = 0; i < 2; i++) pthread_create(&g[i], 0, worker, 0);
    pthread_join(g[0], 0);
    pthread_join(g[1], 0);
    for (int i = 0; i < 2; i++) pthread_create(&h[i], 0, worker, 0);
    join_all(h, 2);
    pthread_create(&one, 0, worker, 0);
    copy = one;
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(copy, 0);
    free(h);
}
