// expect: UNSAFE 1 << 40, of 32 bits
// flags: -p no-overflow -e explicit
int x = 40;

int main(void) {
    return 1 << x;
}
