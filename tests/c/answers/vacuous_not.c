// expect: UNSAFE assertion n == 2 fails
/* … and is, where there is room. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct Node {
    long a, b;
};
static struct Node *nodes;
static int n;

static void *work(void *a) {
    nodes[(long)a].b = 1;
    n++;
    return 0;
}

int main(void) {
    pthread_t t[2];
    nodes = malloc(2 * sizeof(struct Node));
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(n == 2);
    return 0;
}
