// expect: UNSAFE
// flags: -e redcomp -t 60
// The same without the section: between the test and the assignment others may come.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int largest, a, b;

static void *one(void *unused) {
    if (a > largest) largest = a;
    return unused;
}

static void *two(void *unused) {
    if (b > largest) largest = b;
    return unused;
}

int main(void) {
    pthread_t t, u;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(largest >= 0 && largest >= a && largest >= b);
}
