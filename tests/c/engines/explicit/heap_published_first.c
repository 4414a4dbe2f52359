// expect: UNSAFE assertion n->a == n->b
// flags: -e explicit
// A node is reached before it is filled in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node { int a, b; struct node *next; };
_Atomic(struct node *) top;

void *push(void *arg) {
    struct node *n = malloc(sizeof *n), *old;
    n->a = (int)(intptr_t)arg, n->b = 0;
    old = atomic_load(&top);
    do n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
    n->b = n->a;
    for (n = atomic_load(&top); n; n = n->next) assert(n->a == n->b && n->a >= 1);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, push, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    int sum = 0;
    for (struct node *n = atomic_load(&top); n; n = n->next) sum += n->a;
    assert(sum == 6);
    return 0;
}
