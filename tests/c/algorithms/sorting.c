// expect: SAFE
/* qsort and bsearch, with a comparison of the program's own. */
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int values[4] = {3, -1, 3, 0}, key = 0;
    qsort(values, 4, sizeof values[0], compare);
    for (int i = 0; i + 1 < 4; i++) assert(values[i] <= values[i + 1]);
    int *found = bsearch(&key, values, 4, sizeof values[0], compare);
    assert(found == &values[1]);
    key = 7;
    assert(bsearch(&key, values, 4, sizeof values[0], compare) == NULL);
    return 0;
}
