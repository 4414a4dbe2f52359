// expect: UNSAFE
// flags: -p unreach-call --engine threader
/* A lock that any thread may release: two are inside at once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { N = 3 };
static atomic_int owner;
static int inside;

static void *worker(void *p) {
    int self = *(int *)p, nobody = 0;
    if (self == N) owner = 0;
    if (!atomic_compare_exchange_strong(&owner, &nobody, self)) return NULL;
    inside = self;
    assert(inside == self);
    owner = 0;
    return NULL;
}

int main(void) {
    pthread_t id[N];
    int number[N];
    for (int i = 0; i < N; i++) {
        number[i] = i + 1;
        pthread_create(&id[i], NULL, worker, &number[i]);
    }
    return 0;
}
