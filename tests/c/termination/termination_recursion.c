// expect: UNKNOWN recursion of f beyond
// flags: --property termination
extern int __VERIFIER_nondet_int(void);
int f(int n) { return n <= 0 ? 0 : f(n - 1); }
int main(void) { return f(__VERIFIER_nondet_int()); }
