// expect: UNSAFE
/* Without the lock a node can be lost. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    Node *next;
    int value;
};
static Node *list;

static void *pusher(void *argument) {
    Node *node = malloc(sizeof *node);
    node->value = *(int *)argument;
    node->next = list;
    list = node;
    return NULL;
}

int main(void) {
    int values[2] = {10, 32};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, pusher, &values[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    for (Node *node = list; node != NULL; node = node->next) sum += node->value;
    assert(sum == 42);
    return 0;
}
