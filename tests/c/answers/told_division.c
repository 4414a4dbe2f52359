// expect: UNSAFE 7 % 0
// flags: -p no-overflow -e explicit
int x;

int main(void) {
    int l = x;
    if (7 % l == 1) return 1;
    return 0;
}
