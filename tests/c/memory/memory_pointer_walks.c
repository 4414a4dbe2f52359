// expect: SAFE
// flags: -p valid-memsafety -e impact --second-solver
static int a[10];
int main(void) {
    for (int *p = a; p < a + 10; p++) *p = 1;
}
