// expect: UNSAFE out of bounds
// flags: -p valid-memsafety -e redcomp
// The index fits the larger of the two.
extern int __VERIFIER_nondet_int(void);
static int a[4], b[2];
int main(void) {
    int i = __VERIFIER_nondet_int(), *p = __VERIFIER_nondet_int() ? a : b;
    if (i >= 0 && i < 4) p[i] = 1;
}
