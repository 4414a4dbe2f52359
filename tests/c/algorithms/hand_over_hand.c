// expect: SAFE
/* A sorted list where each node has its lock; a thread holds at most two, the next before it lets go of the last. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef struct Node Node;
struct Node {
    int key;
    Node *next;
    pthread_mutex_t mutex;
};
static Node last = {100, NULL, PTHREAD_MUTEX_INITIALIZER};
static Node first = {0, &last, PTHREAD_MUTEX_INITIALIZER};

static void insert(Node *node) {
    Node *before = &first;
    pthread_mutex_lock(&before->mutex);
    Node *after = before->next;
    pthread_mutex_lock(&after->mutex);
    while (after->key < node->key) {
        pthread_mutex_unlock(&before->mutex);
        before = after;
        after = after->next;
        pthread_mutex_lock(&after->mutex);
    }
    node->next = after;
    before->next = node;
    pthread_mutex_unlock(&after->mutex);
    pthread_mutex_unlock(&before->mutex);
}

static void *worker(void *node) {
    insert(node);
    return NULL;
}

int main(void) {
    static Node nodes[2] = {{20, NULL, PTHREAD_MUTEX_INITIALIZER}, {10, NULL, PTHREAD_MUTEX_INITIALIZER}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int count = 0;
    for (Node *n = &first; n->next != NULL; n = n->next, count++) assert(n->key < n->next->key);
    assert(count == 3);
    return 0;
}
