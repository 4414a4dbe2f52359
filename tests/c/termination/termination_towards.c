// expect: SAFE from any visit to any later one
// flags: --property termination --engine redcomp --second-solver
// No sum becomes smaller in every round: x does on one side, -x on the other.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x != 5) {
        if (x < 5) x++;
        else x--;
    }
    return 0;
}
