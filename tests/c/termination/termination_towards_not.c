// expect: UNSAFE endless execution
// flags: --property termination
// It steps over 5, there and back.
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int x = __VERIFIER_nondet_bool() ? 4 : 3;
    while (x != 5) {
        if (x < 5) x += 2;
        else x -= 2;
    }
    return 0;
}
