// expect: UNSAFE signed integer overflow
// flags: --property no-overflow --timeout 20
// -715827883 times three is one less than the smallest number.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int() ^ 5, triple = 0;
    if (x >= -715827883 && x <= 715827882) triple = x * 3;
    return triple > 0;
}
