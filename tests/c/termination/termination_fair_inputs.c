// expect: UNSAFE endless execution
// flags: --property termination --fair weak
// There are far too many states to see all of the loop; one way around is enough.
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        if (__VERIFIER_nondet_bool()) y--;
        else x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    }
    return 0;
}
