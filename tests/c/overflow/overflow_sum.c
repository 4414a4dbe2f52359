// expect: UNSAFE signed integer overflow
// flags: -p no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 2147483647) return 0;
    return n + 1;
}
