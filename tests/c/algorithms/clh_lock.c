// expect: SAFE
/* The queue lock of Craig, Landin and Hagersten: each thread spins on its predecessor's node and then keeps that node. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct Node {
    atomic_int locked;
} Node;
static Node nodes[3];
static _Atomic(Node *) tail = &nodes[2];
static int counter;

static void *worker(void *argument) {
    Node *mine = argument;
    for (int i = 0; i < 2; i++) {
        mine->locked = 1;
        Node *before = atomic_exchange(&tail, mine);
        while (before->locked) {
        }
        counter++;
        mine->locked = 0;
        mine = before;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 4);
    return 0;
}
