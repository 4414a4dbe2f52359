// expect: UNSAFE shift amount out of range
// flags: --property no-overflow -- -Wall -Werror
int main(void) { return 1 << 40; }
