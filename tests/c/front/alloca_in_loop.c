// expect: UNSAFE
/* What alloca gives lives until the function returns, also where another scope has a variable-length array. */
#include <alloca.h>
#include <assert.h>

int main(void) {
    int n = 3, *first = 0;
    {
        int array[n];
        array[0] = 1;
    }
    for (int i = 0; i < 2; i++) {
        int *place = alloca(sizeof *place);
        *place = i;
        if (i == 0) first = place;
    }
    assert(*first != 0);
    return 0;
}
