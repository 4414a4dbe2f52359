// expect: UNSAFE access through a pointer that was never initialised: p (valid-deref)
// flags: -p valid-memsafety
int main(void) {
    int *p;
    *p = 1;
}
