// expect: UNSAFE null pointer dereference
// flags: -p valid-memsafety
int main(void) {
    int *p = 0;
    return *p;
}
