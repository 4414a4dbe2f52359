// expect: SAFE
/* The queue lock of Mellor-Crummey and Scott: each thread spins on a flag in its own node. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct Node Node;
struct Node {
    _Atomic(Node *) next;
    atomic_int waiting;
};
static _Atomic(Node *) tail;
static int counter;

static void acquire(Node *node) {
    node->next = NULL;
    node->waiting = 1;
    Node *before = atomic_exchange(&tail, node);
    if (before == NULL) return;
    before->next = node;
    while (node->waiting) {
    }
}

static void release(Node *node) {
    if (node->next == NULL) {
        Node *self = node;
        if (atomic_compare_exchange_strong(&tail, &self, NULL)) return;
        while (node->next == NULL) {
        }
    }
    Node *next = node->next;
    next->waiting = 0;
}

static void *worker(void *node) {
    acquire(node);
    counter++;
    release(node);
    return NULL;
}

int main(void) {
    static Node nodes[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
