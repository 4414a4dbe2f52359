// expect: UNKNOWN whose fields are not known
/* Two structs of one size with different fields, copied through pointers: in which pieces is not known. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct pair {
    long id;
    int low, high;
};
struct longs {
    long id, both;
};

static struct pair source = {1, 5, 5}, target;
static struct longs other;

static void *copier(void *argument) {
    struct pair **pairs = argument;
    *pairs[0] = *pairs[1];
    return NULL;
}

int main(void) {
    struct pair *pairs[2] = {&target, &source};
    pthread_t thread;
    other.both = 1;
    pthread_create(&thread, NULL, copier, pairs);
    assert(target.low == 0 || target.high == 5 || other.both == 1);
    pthread_join(thread, NULL);
    return 0;
}
