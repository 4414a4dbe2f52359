// expect: UNSAFE endless execution
// flags: --property termination
// A step that changes nothing is one.
int x = 1;
int main(void) {
    while (x) x = x;
    return 0;
}
