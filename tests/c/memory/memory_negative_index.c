// expect: UNSAFE out of bounds
// flags: -p valid-memsafety -e weave
extern int __VERIFIER_nondet_int(void);
static int a[8];
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 8) a[i] = 1;
}
