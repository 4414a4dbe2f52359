// expect: SAFE Every execution ends
// flags: --property termination
int f(int n) { return n <= 0 ? 0 : f(n - 1); }
int main(void) { return f(3); }
