// expect: SAFE
// flags: --property termination --engine redcomp --fair weak
// It ends under any scheduler.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n-- > 0) ;
    return 0;
}
