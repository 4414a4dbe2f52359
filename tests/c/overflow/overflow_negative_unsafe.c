// expect: UNSAFE signed integer overflow
// flags: --property no-overflow --timeout 20
// The smallest number has no negative.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int() ^ 5, minus = 0;
    minus = x * -1;
    return minus > 0;
}
