// expect: UNSAFE signed integer overflow
// flags: --property no-overflow --timeout 20
// 46341 squared does not fit.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int() ^ 5, square = 0;
    if (x >= -46340 && x <= 46341) square = x * x;
    return square > 0;
}
