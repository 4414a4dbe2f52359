// expect: UNKNOWN which may be endless
// flags: --property termination --engine redcomp
// i is never negative: it comes back from above.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    for (unsigned i = __VERIFIER_nondet_uint(); i >= 0; i--) ;
    return 0;
}
