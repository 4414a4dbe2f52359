// expect: SAFE
/* Treiber's lock-free stack, without reuse of memory: each of two threads pushes a node and pops one. No node is lost
   and none comes twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct Node Node;
struct Node {
    int value;
    Node *next;
};

static Node nodes[2] = {{1, NULL}, {2, NULL}};
static _Atomic(Node *) top;

static void push(Node *node) {
    Node *old = top;
    do node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static Node *pop(void) {
    Node *node = top;
    while (node != NULL && !atomic_compare_exchange_strong(&top, &node, node->next)) {
    }
    return node;
}

static void *worker(void *node) {
    push(node);
    return pop();
}

int main(void) {
    pthread_t threads[2];
    void *results[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], &results[i]);
    Node *a = results[0], *b = results[1];
    assert(a != NULL && b != NULL);
    assert(a->value + b->value == 3);
    assert(top == NULL);
    return 0;
}
