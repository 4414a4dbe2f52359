// expect: SAFE
// flags: -p unreach-call
// A union holds an address, or a small number in its place. Neither is open.
#include <assert.h>
#include <pthread.h>

union value {
    int n;
    int *p;
};
static int g;
static union value a, b;

static void *set(void *unused) {
    a.n = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    b.p = &g;
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    assert(a.n == 1);
    b.n = -3;
    b.p = &g;
    assert(b.p == &g && b.p);
    return 0;
}
