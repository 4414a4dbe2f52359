// expect: UNSAFE neither happens before the other
// flags: -p no-data-race
// A stack whose push does not release.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
_Atomic(struct node *) top;

void *push(void *p) {
    struct node *q = malloc(sizeof *q);
    if (!q) return p;
    q->value = 42;
    q->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &q->next, q, memory_order_relaxed, memory_order_relaxed)) continue;
    return p;
}

void *look(void *p) {
    struct node *q = atomic_load_explicit(&top, memory_order_acquire);
    return q && q->value ? p : NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
