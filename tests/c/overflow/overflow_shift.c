// expect: UNSAFE
// flags: -p no-overflow
// A signed shift to the left must not reach the sign.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int by = __VERIFIER_nondet_int();
    if (by < 0 || by > 31) return 0;
    return (1 << by) == 0;
}
