// expect: UNSAFE
// flags: -p valid-memsafety
struct pair {
    int a, b;
};
int main(void) {
    const struct pair p = {1, 2};
    ((struct pair *)&p)->b = 3;
    return p.b;
}
