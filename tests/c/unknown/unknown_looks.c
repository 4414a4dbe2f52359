// expect: UNKNOWN an error is reachable if look() has no effect at line 11
/* A lost update. It is one if the function that nobody defines changes nothing; const is no promise. */
#include <assert.h>
#include <pthread.h>

void look(const int *);
static int n;

static void *work(void *a) {
    n++;
    look(&n);
    return a;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
