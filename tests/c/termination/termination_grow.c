// expect: UNKNOWN every round of this loop preserves its condition, from x = 1, if numbers have no bounds: perhaps the loop is endless [H0850] 
// flags: --property termination --engine redcomp
// Endless as integers; in C it ends with an overflow.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 0) x = x + 1;
    return 0;
}
