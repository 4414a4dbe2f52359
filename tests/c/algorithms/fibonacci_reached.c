// expect: UNSAFE
/* The bound of fibonacci.c is reached: there is an interleaving in which a thread gets the whole number. */
#include <assert.h>
#include <pthread.h>

enum { N = 2 };
static int i = 1, j = 1;

static void *left(void *unused) {
    (void)unused;
    for (int k = 0; k < N; k++) i += j;
    return NULL;
}

static void *right(void *unused) {
    (void)unused;
    for (int k = 0; k < N; k++) j += i;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    assert(i < 8 && j < 8);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(i < 8 && j < 8);
    return 0;
}
