// expect: UNKNOWN negative size
extern signed char __VERIFIER_nondet_char(void);

static void fill(int n) {
    char text[n];
    text[0] = 1;
}

int main(void) {
    fill(__VERIFIER_nondet_char());
    return 0;
}
