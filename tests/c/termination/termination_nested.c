// expect: SAFE becomes smaller: x, y
// flags: --property termination --second-solver
// y starts anew with any number whenever x becomes smaller.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        if (y > 0) {
            y--;
        } else {
            x--;
            y = __VERIFIER_nondet_int();
        }
    }
    return 0;
}
