// expect: SAFE
// flags: --memory-model tso
// The same with fences.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { int value, ready; } *shared;
int flag, a = 1, b = 1;

void *first(void *p) {
    struct node *n = shared;
    n->ready = 1;
    __sync_synchronize();
    a = flag;
    return p;
}
void *second(void *p) {
    flag = 1;
    __sync_synchronize();
    b = shared->ready;
    return p;
}

int main(void) {
    pthread_t s, t;
    shared = calloc(1, sizeof *shared);
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a == 1 || b == 1);
    return 0;
}
