// expect: SAFE
// flags: -p valid-memsafety
/* Copies of an initialiser, and of an object whose mutex is not used again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct box { pthread_mutex_t m; int n; };
static const struct box empty = {PTHREAD_MUTEX_INITIALIZER, 3};
static int total;
static void count(struct box *b) {
    struct box seen;
    pthread_mutex_lock(&b->m);
    memcpy(&seen, b, sizeof seen);
    pthread_mutex_unlock(&b->m);
    total += seen.n;
}
int main(void) {
    struct box *b = malloc(sizeof *b), c, fresh = {PTHREAD_MUTEX_INITIALIZER, 4};
    *b = empty;
    c = (struct box){PTHREAD_MUTEX_INITIALIZER, 2};
    count(b);
    count(&c);
    c = fresh;
    count(&c);
    free(b);
}
