// expect: SAFE Every execution ends
// flags: --property termination --second-solver
// An assumption that fails is no loop.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x != 0) {
        __VERIFIER_assume(x > 0);
        x--;
    }
    return 0;
}
