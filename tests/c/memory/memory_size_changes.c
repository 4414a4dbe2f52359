// expect: UNSAFE
// flags: -p valid-memsafety -e redcomp
// The size that the thread goes by is no longer that of the array.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *a, n;
static void *writer(void *unused) {
    for (int i = 0; i < n; i++) a[i] = i;
    return unused;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2) return 0;
    a = malloc(n * sizeof *a);
    pthread_create(&t, 0, writer, 0);
    n++;
    pthread_join(t, 0);
    free(a);
}
