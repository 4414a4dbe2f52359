// expect: UNSAFE endless execution
// flags: --property termination
// Elsewhere this body is taken to end the process; here it is what it is.
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition) {
    if (!condition) {
    again:
        goto again;
    }
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0);
    return 0;
}
