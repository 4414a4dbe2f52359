// expect: SAFE
// flags: --property valid-memsafety
// The index cannot wrap around, since each step follows a comparison with the number of threads.
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void *work(void *unused) { return unused; }

int main(void) {
    size_t n = __VERIFIER_nondet_uint() % 4;
    pthread_t *t = malloc(n * sizeof *t);
    if (!t) return 0;
    for (size_t i = 0; i < n; i++) pthread_create(&t[i], NULL, work, NULL);
    for (size_t i = 0; i < n; i++) pthread_join(t[i], NULL);
    free(t);
    return 0;
}
