// expect: UNSAFE
/* A struct is copied field by field, also where both sides are known by pointers only: another thread can see one field
   copied and the other not. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct pair {
    long id;
    int low, high;
};

static struct pair source = {1, 5, 5}, target;

static void copy(struct pair *to, const struct pair *from) { *to = *from; }

static void *copier(void *argument) {
    struct pair **pairs = argument;
    copy(pairs[0], pairs[1]);
    return NULL;
}

int main(void) {
    struct pair *pairs[2] = {&target, &source};
    pthread_t thread;
    pthread_create(&thread, NULL, copier, pairs);
    int high = target.high, low = target.low;
    assert(high == 0 || low == 5);
    assert(target.low == 0 || target.high == 5); /* low comes first: this can fail */
    pthread_join(thread, NULL);
    return 0;
}
