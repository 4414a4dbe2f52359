// expect: UNSAFE top: {node = NULL, count = 0} → {node = &a, count = 1}
// flags: --layout lines
// A struct that is read and written as one number of 128 bits is told by its members.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int v;
} a;
struct pair {
    struct node *node;
    unsigned long count;
};
_Atomic struct pair top;

static void *push(void *argument) {
    struct pair old = atomic_load(&top), new = {&a, old.count + 1};
    while (!atomic_compare_exchange_strong(&top, &old, new)) new.count = old.count + 1;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, push, NULL);
    pthread_join(t, NULL);
    struct pair last = atomic_load(&top);
    assert(last.count == 0);
    return 0;
}
