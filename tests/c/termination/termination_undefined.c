// expect: SAFE assumed to terminate: f
// flags: --property termination
int f(void);
int main(void) {
    return f();
}
