// expect: SAFE assumed to terminate: f [H1403]
// flags: --property termination
int f(void);
int main(void) {
    return f();
}
