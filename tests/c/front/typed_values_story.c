// expect: UNSAFE node.depth: 0 → -2
// Floating numbers, bit-fields, large numbers and pointers behind a typedef: a story shows what C would.
#include <assert.h>
#include <pthread.h>

typedef double real;
typedef struct node *list;
struct node { unsigned red : 3, green : 3; int depth : 4; unsigned long size; } node;
float f;
real r;
list head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *arg) {
    pthread_mutex_lock(&m);
    f = 1.1f;
    r = -0.25;
    head = &node;
    node.green = 6;
    node.depth = -2;
    node.size = 10000000000;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    pthread_mutex_lock(&m);
    assert(head ? f == 1.1f && r == -0.25 && head->green == 6 && head->depth == -2 && head->size < 7 : f == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
