// expect: SAFE
// flags: -e impact
/* Two threads write the elements i and j of a table. Their steps commute because i and j differ, which only the path tells: conditional
   dependence. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
#define STEP(x) __VERIFIER_atomic_begin(); x; __VERIFIER_atomic_end()

static int table[100];
static unsigned i, j;

static void *first(void *unused) {
    STEP(table[i] = 1);
    STEP(table[i] = table[i] + 1);
    STEP(table[i] = table[j]);
    return unused;
}

static void *second(void *unused) {
    STEP(table[j] = -2);
    STEP(table[j] = table[j] + 1);
    STEP(table[i] = table[i] + 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    i = __VERIFIER_nondet_uint();
    j = __VERIFIER_nondet_uint();
    if (i >= 100 || j >= 100 || i == j) abort();
    table[i] = table[j] = 0;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(table[j] == -1);
    return 0;
}
