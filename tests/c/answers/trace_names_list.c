// expect: UNSAFE list#1->head: NULL → node#1
// flags: --layout lines
// A list: nodes that a function makes, with names of their own; the tail of a large struct has names, too; and so have functions.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    void (*run)(struct node *);
};
struct list {
    char buffer[5680];
    struct node *head;
} *list;

static void count(struct node *n) { n->value++; }

static struct node *make(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->run = count;
    return node;
}

static void *push(void *argument) {
    struct node *node = make(3);
    node->next = list->head;
    list->head = node;
    node->run(node);
    return argument;
}

int main(void) {
    pthread_t t;
    list = calloc(1, sizeof *list);
    pthread_create(&t, NULL, push, NULL);
    pthread_join(t, NULL);
    assert(list->head->value == 3);
    return 0;
}
