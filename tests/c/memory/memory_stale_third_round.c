// expect: UNSAFE
// flags: -p valid-memsafety
// Not touched in the round in between.
struct list {
    int *at;
};
int main(void) {
    struct list kept = {0};
    for (int i = 0; i < 3; i++) {
        int here[2] = {i, i};
        if (i == 0) kept.at = &here[1];
        if (i == 2) here[0] = *kept.at;
    }
    return 0;
}
