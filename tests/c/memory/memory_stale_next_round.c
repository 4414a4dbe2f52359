// expect: UNSAFE
// flags: -p valid-memsafety
// The next round has a local of the same name, but not the one that is pointed to.
int main(void) {
    int *last = 0, sum = 0;
    for (int i = 0; i < 2; i++) {
        int here = i;
        if (last) sum += *last;
        last = &here;
    }
    return sum;
}
