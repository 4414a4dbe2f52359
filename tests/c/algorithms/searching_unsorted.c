// expect: UNSAFE assertion found fails
// bsearch need not find what lies in an array that is not sorted.
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int values[3] = {3, 2, 1}, key = 3;
    void *found = bsearch(&key, values, 3, sizeof values[0], compare);
    assert(found);
    return 0;
}
