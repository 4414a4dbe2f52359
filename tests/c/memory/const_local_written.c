// expect: UNSAFE
// flags: -p valid-memsafety
int main(void) {
    const int x = 5;
    *(int *)&x = 6;
    return 0;
}
