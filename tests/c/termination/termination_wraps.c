// expect: UNSAFE the last 256 steps
// flags: --property termination
int main(void) {
    unsigned char c = 0;
    while (c < 300) c++;
    return 0;
}
