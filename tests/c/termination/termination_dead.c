// expect: UNSAFE endless execution
// flags: --property termination
// Nobody looks at n: the loop stays.
int main(void) {
    unsigned char n = 0;
    for (;;) n++;
}
