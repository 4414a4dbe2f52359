// expect: SAFE
// flags: -p no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int by = __VERIFIER_nondet_int();
    if (by < 0 || by > 30) return 0;
    long wide = 1L << (2 * by);
    unsigned none = 3u << (by + 1);
    return (1 << by) == 0 && (-5 >> by) == 0 && wide == 0 && none == 0;
}
