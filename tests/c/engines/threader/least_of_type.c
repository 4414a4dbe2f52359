// expect: UNSAFE
// flags: -p unreach-call --engine threader
/* A sum that overflows is not followed, so its least value is that of its type, not a number below it. */
#include <assert.h>
#include <pthread.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
static int z = 1, least = 5, down = 5;
static void *set(void *p) { least = INT_MIN; down = -1; return p; }
static void *sum(void *p) { if (__VERIFIER_nondet_int()) z = least + down; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, sum, NULL);
    pthread_join(b, NULL);
    assert(z == 1 || z == INT_MAX);
    return 0;
}
