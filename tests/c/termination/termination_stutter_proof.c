// expect: UNKNOWN which may be endless
// flags: --property termination --engine redcomp
int x = 1;
int main(void) {
    while (x) x = x;
    return 0;
}
