# SPDX-License-Identifier: Apache-2.0
# What a trace says beyond reads and writes: callers, a wake-up that nobody caused, a compare-exchange that fails, an address that is used
# again; what main does before it starts a thread is left out, unless -v asks for it.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >wait.c <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
int a, b, d, e, ready;
static void block(void) {
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_wait(&c, &m);
    assert(ready);
    pthread_mutex_unlock(&m);
}
static void *run(void *argument) {
    block();
    return argument;
}
int main(void) {
    pthread_t t;
    a = 1;
    b = 2;
    d = 3;
    e = 4;
    ready = 0;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
C
"$HEDDLE" -p unreach-call wait.c
"$HEDDLE" -p unreach-call -v wait.c 2>/dev/null | sed -n 4,9p
cat >stack.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int v; };
_Atomic(struct node *) top;
int lost;
static int put(struct node *n) {
    struct node *old = top;
    return atomic_compare_exchange_strong(&top, &old, n);
}
static void *push(void *argument) {
    struct node *n = malloc(sizeof *n);
    if (!put(n)) lost = 1;
    return argument;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, push, 0);
    pthread_create(&u, 0, push, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(!lost);
    return 0;
}
C
"$HEDDLE" -p unreach-call stack.c | grep -o 'compare-exchange.*'
cat >again.c <<'C'
#include <assert.h>
#include <stdlib.h>
int *first, *second, same;
int main(void) {
    first = malloc(4);
    free(first);
    second = malloc(4);
    if (first == second) *second = same = 1;
    assert(!same);
    return 0;
}
C
"$HEDDLE" -p unreach-call again.c | grep -o 'allocates.*'
