// expect: SAFE
// The results of main and of another thread are told apart.
#include <assert.h>
#include <pthread.h>

static pthread_t first, second;
static int x, y;

static void *other(void *unused) {
    (void)unused;
    pthread_exit(&y);
}
static void *worker(void *unused) {
    void *a, *b;
    pthread_join(second, &b);
    pthread_join(first, &a);
    assert(a == &x && b == &y);
    return unused;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&second, 0, other, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_exit(&x);
}
