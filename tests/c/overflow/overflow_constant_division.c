// expect: UNSAFE division by zero
// flags: --property no-overflow
int main(void) { return 5 % 0; }
