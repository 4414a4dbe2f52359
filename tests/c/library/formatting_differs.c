// expect: UNSAFE
// The names of two workers are the same if both have the same number.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    char a[16], b[16];
    int k = __VERIFIER_nondet_int() & 3;
    snprintf(a, sizeof a, "worker-%d", k);
    snprintf(b, sizeof b, "worker-%d", 2);
    assert(strcmp(a, b) != 0);
    return 0;
}
