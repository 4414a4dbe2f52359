// expect: UNSAFE out of bounds
// flags: -p valid-memsafety -e impact
// i + 4 is less than 8 for large i, too: it wraps around.
extern unsigned __VERIFIER_nondet_uint(void);
static int a[8];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i + 4 < 8) a[i] = 1;
}
