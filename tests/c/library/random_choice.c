// expect: UNSAFE
/* rand() may return anything that is not negative. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *worker(void *unused) {
    (void)unused;
    x = rand() % 6 + 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    srand(1);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(x != 6);
    return 0;
}
