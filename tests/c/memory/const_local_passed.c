// expect: UNKNOWN a write that may be to a local that is const
// flags: -p valid-memsafety
static void set(int *p) { *p = 7; }
int main(void) {
    const int x = 5;
    set((int *)&x);
    return 0;
}
