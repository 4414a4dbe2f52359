// expect: UNSAFE does not fit into 32 bits
// flags: --property no-overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = 2147483000;
    int b = __VERIFIER_nondet_int();
    int c = a + b;
    return c;
}
