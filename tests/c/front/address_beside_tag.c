// flags: --property unreach-call
// expect: SAFE
// A number and a pointer are exchanged as one value of two words. The pointer stays whole: nothing about it is open.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
    int taken;
};

struct head {
    size_t tag;
    struct node *first;
};

static struct node nodes[2] = {{&nodes[1], 0}, {NULL, 0}};
static _Atomic struct head list;

static void *take(void *unused) {
    struct head now = atomic_load(&list), next;
    do {
        assert(now.first);
        next.tag = now.tag + 1;
        next.first = now.first->next;
    } while (!atomic_compare_exchange_strong(&list, &now, next));
    assert(now.first->taken++ == 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    struct head full = {0, nodes};
    atomic_store(&list, full);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    full = atomic_load(&list);
    assert(full.tag == 2 && !full.first);
    return 0;
}
