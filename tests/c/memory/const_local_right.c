// expect: SAFE
// flags: -p valid-memsafety
// Initialisation is no write to a constant, however it is done.
struct pair {
    int a, b;
};
static int three(void) { return 3; }
static int sum(const int *p, const int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
int main(void) {
    const struct pair p = {1, 2}, q = {three(), three()}, z = {0};
    const int a[3] = {1, 2, 3}, b[2] = {three(), 2}, c[20] = {1, 2};
    const int e = ({ int t = three(); t + 1; });
    const int *r = a;
    for (int i = 0; i < 3; i++) {
        const int y = i ? i : three();
        r = &y;
        if (*r < 0) return 1;
    }
    const char msg[] = "hello";
    return sum(a, 3) + sum(b, 2) + p.a + q.b + z.a + msg[0] + c[3] + e;
}
