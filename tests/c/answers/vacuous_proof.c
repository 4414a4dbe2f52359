// expect: SAFE undefined behaviour: null pointer dereference
// flags: -e redcomp
/* There is an invariant, since nothing happens. */
#include <assert.h>
#include <pthread.h>

static int *p, n;

static void *work(void *a) {
    *p = 1;
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(n == 3);
    return 0;
}
