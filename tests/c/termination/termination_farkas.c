// expect: SAFE Every execution ends
// flags: --property termination --engine redcomp --second-solver
// No guard names what becomes smaller: 2 x + y.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x >= 0 && y >= 0) {
        if (__VERIFIER_nondet_int()) {
            x = x - 1;
            y = y + 1;
        } else {
            y = y - 1;
        }
    }
    return 0;
}
