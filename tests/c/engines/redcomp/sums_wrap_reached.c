// expect: UNSAFE
// flags: -e redcomp -t 60
// Two sums that differ by 2^32 are equal: the error behind the equality is reached by wrap-around alone.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned a, x, y;

static void *one(void *unused) {
    x = a + 4294967295u;
    return unused;
}

static void *two(void *unused) {
    y = a - 1;
    return unused;
}

int main(void) {
    pthread_t t, u;
    a = __VERIFIER_nondet_uint();
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    if (x == y) assert(0);
}
