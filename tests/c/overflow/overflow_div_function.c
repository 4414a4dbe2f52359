// expect: UNSAFE
// flags: -p no-overflow
// The library's functions divide as the operators do.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int by = __VERIFIER_nondet_int();
    div_t d = div(7, by);
    return d.rem == 7;
}
