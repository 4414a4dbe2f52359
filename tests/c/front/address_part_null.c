// expect: SAFE
// The bytes of null are zero, and the low bits of an address are those of its alignment.
#include <assert.h>
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int g;
static union {
    int *p;
    unsigned short h[4];
} u;

int main(void) {
    if (__VERIFIER_nondet_bool()) u.p = &g;
    if (u.p == NULL) assert(u.h[1] == 0);
    return 0;
}
