// expect: UNSAFE overflow
// flags: -p no-overflow
// qsort may compare any two elements: also the first with the last.
#include <limits.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int values[4] = {INT_MIN, 0, 1, 2};
    qsort(values, 4, sizeof values[0], compare);
    return 0;
}
