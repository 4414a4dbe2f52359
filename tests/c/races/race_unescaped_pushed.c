// expect: SAFE accesses that may conflict
// flags: --property no-data-race
// No other thread knows a node while it is filled, tested for null or freed.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};
static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n) break;
        n->value = 1;
        if (__VERIFIER_nondet_int()) {
            free(n);
            continue;
        }
        pthread_mutex_lock(&m);
        n->next = head;
        head = n;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&m);
    if (head) head->value++;
    pthread_mutex_unlock(&m);
    return 0;
}
