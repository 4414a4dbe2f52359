// expect: SAFE
// flags: -p unreach-call --engine threader
/* Counters that only grow, each written by one thread and watched by the next: each guarantees that none becomes less. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { N = 5 };
static atomic_int count[N + 1];

static void *worker(void *p) {
    int i = *(int *)p;
    for (;;) {
        int before = count[i];
        atomic_store(&count[i + 1], count[i + 1] + 1);
        assert(count[i] >= before);
    }
    return NULL;
}

int main(void) {
    pthread_t id[N];
    int number[N];
    for (int i = 0; i < N; i++) {
        number[i] = i;
        pthread_create(&id[i], NULL, worker, &number[i]);
    }
    return 0;
}
