// expect: SAFE taken to return: f
// flags: --property termination
int f(void);
int main(void) {
    return f();
}
