// expect: SAFE
// Marks in the low bits of pointers change neither what they point to nor which field is read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node { long data; _Atomic(uintptr_t) next; };
struct node *first;

void *mark(void *arg) {
    uintptr_t next = atomic_load(&first->next);
    while (!(next & 1) && !atomic_compare_exchange_strong(&first->next, &next, next | 1)) continue;
    return arg;
}

int main(void) {
    pthread_t t, u;
    struct node *second = malloc(sizeof *second);
    second->data = 2, second->next = 0;
    first = malloc(sizeof *first);
    first->data = 1, first->next = (uintptr_t)second;
    pthread_create(&t, NULL, mark, NULL);
    pthread_create(&u, NULL, mark, NULL);
    struct node *n = (struct node *)(first->next & ~(uintptr_t)1);
    assert(n == second && n->data == 2);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(first->next == (uintptr_t)second + 1 && (first->next ^ 1) == (uintptr_t)second);
    return 0;
}
