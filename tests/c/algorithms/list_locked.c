// expect: SAFE
/* Two threads push nodes from the heap to a list under a lock; none is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    Node *next;
    int value;
};
static Node *list;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *pusher(void *argument) {
    Node *node = malloc(sizeof *node);
    node->value = *(int *)argument;
    pthread_mutex_lock(&mutex);
    node->next = list;
    list = node;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    int values[2] = {10, 32};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, pusher, &values[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    while (list != NULL) {
        Node *node = list;
        list = node->next;
        sum += node->value;
        free(node);
    }
    assert(sum == 42);
    return 0;
}
