// expect: SAFE
// flags: -p no-deadlock
/* What is assumed is no wait. */
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 3);
    return n;
}
