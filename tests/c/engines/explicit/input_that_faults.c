// expect: UNSAFE
// flags: --engine explicit
/* No value may stand for others if it ends the execution and they do not. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int before = n - 1;
    int part = 10 / n;
    before = part = 0;
    reach_error();
    return before + part;
}
