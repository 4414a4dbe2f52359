// expect: UNSAFE
/* The CLH lock with the node marked after it is enqueued: the successor may see it free and enter too. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct Node {
    atomic_int locked;
} Node;
static Node nodes[3];
static _Atomic(Node *) tail = &nodes[2];
static atomic_int inside;

static void *worker(void *argument) {
    Node *mine = argument;
    Node *before = atomic_exchange(&tail, mine);
    mine->locked = 1; /* too late: the successor may have looked already */
    while (before->locked) {
    }
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    mine->locked = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
