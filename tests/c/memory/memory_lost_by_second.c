// expect: UNSAFE memory leak
// flags: -p valid-memsafety -e redcomp
// Of two threads that keep what they allocated in one variable, the later one wins.
#include <pthread.h>
#include <stdlib.h>
static int *g;
static void *maker(void *unused) {
    int *p = malloc(sizeof *p);
    *p = 1;
    g = p;
    return unused;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, maker, 0);
    pthread_create(&t, 0, maker, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
}
