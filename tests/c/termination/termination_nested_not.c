// expect: UNSAFE endless execution
// flags: --property termination
// x does not become smaller where y starts anew.
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    _Bool x = __VERIFIER_nondet_bool(), y = __VERIFIER_nondet_bool();
    while (x) {
        if (y) y = 0;
        else y = __VERIFIER_nondet_bool();
    }
    return 0;
}
