// expect: UNSAFE unreach-call no-data-race
/* A bug that needs an input and an interleaving. The scale looks at the allowance twice while the clerk changes it: a
   parcel of exactly the limit then counts as heavy and as light. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

enum { LIMIT = 2000 };

static int weight;
static bool heavy, light;
static volatile int allowance;

static void *scale(void *unused) {
    (void)unused;
    if (weight > LIMIT - allowance) heavy = true;
    if (weight <= LIMIT - allowance) light = true;
    return NULL;
}

static void *clerk(void *unused) {
    (void)unused;
    allowance = 1;
    allowance = 0;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    weight = __VERIFIER_nondet_int();
    pthread_create(&first, NULL, scale, NULL);
    pthread_create(&second, NULL, clerk, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(!(heavy && light));
    return 0;
}
