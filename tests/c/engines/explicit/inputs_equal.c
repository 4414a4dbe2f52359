// expect: SAFE
// flags: -e explicit
// Inputs that are only compared with each other and with a constant: a few values stand for all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);

struct node { atomic_int socket; struct node *next; } nodes[2];
_Atomic(struct node *) top;

void *push(void *arg) {
    struct node *me = arg;
    atomic_store(&me->socket, (int)__VERIFIER_nondet_uint());
    me->next = atomic_exchange(&top, me);
    int mine = atomic_load(&me->socket);
    if (mine == -1) mine = (int)__VERIFIER_nondet_uint();
    if (me->next && atomic_load(&me->next->socket) == mine) assert(mine == -1 || mine == me->next->socket);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, push, &nodes[0]);
    pthread_create(&u, NULL, push, &nodes[1]);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
