// expect: UNSAFE
// flags: -p no-overflow
int main(void) {
    int number = -1;
    number <<= 1;
    return number == 0;
}
