// expect: UNSAFE unreach-call no-data-race valid-memsafety
/* The ABA problem. pop() reads the top node and its successor, then swings the top with a compare-and-swap. In between,
   the other thread pops that node and the next one, frees the first, and pushes a new node that calloc places at
   the same address: the compare-and-swap succeeds and brings a node back that was popped long ago. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    int value;
    Node *next;
};

static _Atomic(Node *) top;
static int popped[4]; /* how often the other thread and main have seen each value */

static void push(int value) {
    Node *node = calloc(1, sizeof *node);
    node->value = value;
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

static void *slow(void *unused) {
    (void)unused;
    pop();
    return NULL;
}

static void *quick(void *unused) {
    (void)unused;
    Node *a = pop();
    if (a == NULL) return NULL;
    popped[a->value]++;
    free(a);
    Node *b = pop();
    if (b == NULL) return NULL;
    popped[b->value]++;
    push(3);
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
    Node *left = pop();
    if (left != NULL) assert(popped[left->value] == 0);
    return 0;
}
