// expect: UNSAFE
/* A struct may be aligned better than its fields: they are copied one by one all the same. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct __attribute__((aligned(16))) four {
    int a, b, c, d;
};
static struct four *pair[2];

static void *copier(void *argument) {
    *pair[0] = *pair[1];
    return argument;
}

int main(void) {
    struct four one = {1, 1, 1, 1};
    pair[0] = calloc(1, sizeof one), pair[1] = calloc(1, sizeof one);
    if (!pair[0] || !pair[1]) return 0;
    *pair[1] = one;
    pthread_t thread;
    pthread_create(&thread, NULL, copier, NULL);
    int before = pair[0]->b, a = pair[0]->a, b = pair[0]->b;
    assert(before || !a || b);
    pthread_join(thread, NULL);
    return 0;
}
