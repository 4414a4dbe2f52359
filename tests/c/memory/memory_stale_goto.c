// expect: UNSAFE
// flags: -p valid-memsafety
int main(void) {
    int *first = 0, i = 0;
again:;
    {
        int here = 5;
        if (i == 0) first = &here;
        *first = 3;
        i++;
        if (i < 2) goto again;
    }
    return 0;
}
