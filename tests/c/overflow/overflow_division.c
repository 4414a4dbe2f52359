// expect: UNSAFE division by zero
// flags: -p no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) { return 7 / __VERIFIER_nondet_int(); }
