// expect: UNSAFE
// flags: --memory-model tso
// What is copied from the thread's own memory waits, too; a part of it has no value until then.
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
} x;
int y, r;

struct pair make(void) {
    struct pair p;
    p.a = 1;
    return p;
}

void *first(void *p) {
    x = make();
    int b = x.b;
    r = y;
    if (b != 7) r = 1;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    y = 1;
    __sync_synchronize();
    int late = x.a == 0;
    pthread_join(t, NULL);
    assert(!late || r || x.b != 7);
    return 0;
}
