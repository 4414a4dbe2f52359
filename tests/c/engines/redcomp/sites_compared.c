// expect: UNKNOWN
// flags: -e redcomp
/* The addresses that proofs give to objects of one place that allocates many come to those of the next place: whether they differ is not
   asked. (The last `first` and the first `second` do differ, and the error is reached.) */
#include <pthread.h>
#include <stdlib.h>

extern void reach_error(void);
static char *first, *second;

static void *late(void *unused) {
    (void)unused;
    if (first != second) reach_error();
    return NULL;
}

int main(void) {
    for (int i = 0; i < 257; i++) first = malloc(1);
    for (int i = 0; i < 2; i++) {
        char *p = malloc(1);
        if (!i) second = p;
    }
    pthread_t t;
    pthread_create(&t, NULL, late, NULL);
    pthread_join(t, NULL);
    return 0;
}
