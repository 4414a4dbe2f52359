// expect: UNSAFE signed integer overflow
// flags: --property no-overflow --data-model ILP32 --timeout 30
// The program multiplies by itself what it uses as an index: that may overflow.
extern int __VERIFIER_nondet_int(void);
char a[64];

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0) return 0;
    int k = i * 4;
    if (k >= 0 && k < 64) a[k] = 1;
    return 0;
}
