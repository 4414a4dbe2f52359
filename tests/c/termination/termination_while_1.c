// expect: UNSAFE and so on for ever
// flags: --property termination
// The loop does nothing: it is there all the same.
int main(void) {
    while (1) ;
}
