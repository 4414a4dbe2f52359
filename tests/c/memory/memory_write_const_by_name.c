// expect: UNSAFE
// flags: --property valid-memsafety
static const int limit = 3;
int main(void) {
    *(int *)&limit = 4;
    return limit;
}
