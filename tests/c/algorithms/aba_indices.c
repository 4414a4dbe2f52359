// expect: UNSAFE
/* The same stack without the count: the slow thread's swap succeeds although the stack has changed under it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 0 };
static unsigned next[3];
static atomic_uint top;
static atomic_int held[3];

static void push(unsigned node) {
    unsigned old = top;
    do next[node] = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static unsigned pop(void) {
    unsigned old = top;
    while (old != NONE && !atomic_compare_exchange_strong(&top, &old, next[old])) {
    }
    return old;
}

static void own(unsigned node) { assert(atomic_fetch_add(&held[node], 1) == 0); }

static void *slow(void *unused) {
    (void)unused;
    unsigned node = pop();
    if (node != NONE) own(node);
    return NULL;
}

static void *quick(void *unused) {
    (void)unused;
    unsigned a = pop();
    unsigned b = pop();
    if (b != NONE) own(b);
    if (a != NONE) push(a);
    return NULL;
}

int main(void) {
    push(2);
    push(1);
    pthread_t first, second;
    pthread_create(&first, NULL, slow, NULL);
    pthread_create(&second, NULL, quick, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    unsigned left = pop();
    if (left != NONE) own(left);
    return 0;
}
