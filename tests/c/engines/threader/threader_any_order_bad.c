// expect: UNSAFE
// flags: -p unreach-call --engine threader
/* Three threads, whose steps must come in one order of many. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b, c, seen;

static void *first(void *unused) {
    a = 1;
    if (b == 1) c = 1;
    return unused;
}

static void *second(void *unused) {
    if (a == 1) b = 1;
    if (c == 1) seen = 1;
    return unused;
}

static void *third(void *unused) {
    if (seen == 1) a = 2;
    assert(a != 2 || b != 1);
    return unused;
}

int main(void) {
    pthread_t id[3];
    pthread_create(&id[0], NULL, first, NULL);
    pthread_create(&id[1], NULL, second, NULL);
    pthread_create(&id[2], NULL, third, NULL);
    return 0;
}
