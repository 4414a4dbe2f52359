// expect: UNSAFE
// flags: -p unreach-call --engine threader
/* Two of any number of threads meet. */
#include <assert.h>
#include <pthread.h>

static int inside;

static void *worker(void *unused) {
    int before = inside;
    inside = before + 1;
    assert(inside == before + 1);
    inside = 0;
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t id;
        pthread_create(&id, NULL, worker, NULL);
    }
}
