// expect: SAFE
// flags: -p no-overflow -e redcomp --second-solver
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 2147483646) return 0;
    return n + 1;
}
