// expect: UNSAFE
// flags: -p valid-memsafety
// The local of the last call is not that of this one.
static int *last;
static void call(int n) {
    int here = n;
    if (last) *last = 1;
    last = &here;
}
int main(void) {
    for (int i = 0; i < 2; i++) call(i);
}
