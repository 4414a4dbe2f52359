// expect: UNSAFE
// flags: --property unreach-call
// Constants that overflow, a division of them by zero and bits that a shift loses matter to no-overflow alone.
extern void reach_error(void);

int main(void) {
    int x = 24 * 60 * 60 * 1000 * 1000 * 1000, y = 1 / 0, z = -5 << 1;
    if (x < 0 && z == -10) reach_error();
    return y - y;
}
