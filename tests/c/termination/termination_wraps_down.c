// expect: UNSAFE endless execution
// flags: --property termination
int main(void) {
    for (unsigned char i = 3; i >= 0; i--) ;
    return 0;
}
