// expect: SAFE Every execution ends
// flags: --property termination --engine redcomp
// No sum of x and y becomes smaller with every round; the larger of x and y - 1 does, or stays and x + y becomes smaller.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        int old = x;
        if (__VERIFIER_nondet_int()) {
            x = old - 1;
            y = old;
        } else {
            x = y - 2;
            y = old + 1;
        }
    }
    return 0;
}
