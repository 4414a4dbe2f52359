// expect: UNKNOWN too large
// flags: --data-model ILP32 -e redcomp
/* Objects of one allocation site are numbered; these are larger than the room between them, and must not be taken to overlap. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char *rows[2];

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 2; i++) rows[i] = malloc(200000);
    if (n < 0 || n > 20000) return 0;
    rows[0][n + 65536] = 1;
    rows[1][n] = 2;
    assert(rows[0][n + 65536] == 2);
    return 0;
}
