// expect: UNSAFE assertion n == 2 fails
/* A lost update. The function that nobody defines gets a number, and can get at nothing. */
#include <assert.h>
#include <pthread.h>

void metrics_inc(int which);
static int n;

static void *work(void *a) {
    n++;
    metrics_inc(3);
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
