// expect: SAFE
// flags: -p valid-memsafety
// A pointer to the local of the last round is there, but it is set anew before it is used.
static int *shared;
static int *first_of(int *a) { return a; }
static void call(int n) {
    int here = n;
    shared = &here;
    *shared = 2;
}
int main(void) {
    int *last = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int here[2] = {i, 1};
        last = first_of(here);
        sum += last[1];
        call(i);
    }
    return sum;
}
