// expect: UNSAFE
// flags: -p unreach-call --engine threader
/* A thread uses what its creator sets after creating it. */
#include <assert.h>
#include <pthread.h>

static int ready;

static void *run(void *unused) {
    assert(ready);
    return unused;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, run, NULL);
    ready = 1;
    pthread_join(id, NULL);
    return 0;
}
