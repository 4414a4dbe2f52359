// expect: UNSAFE assertion n == 2 fails
/* A lost update. The result of the function that nobody defines is moved about, and does not matter. */
#include <assert.h>
#include <pthread.h>

int probe(void);
static int n;

static void *work(void *a) {
    n++;
    int k = probe();
    int twice = k ^ 5;
    (void)twice;
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
