// expect: SAFE
/* Each of the places that alloca gives is a place of its own. */
#include <alloca.h>
#include <assert.h>

static int sum(int n) {
    int total = 0, *places[2];
    for (int k = 0; k < 2; k++) {
        int array[n];
        array[0] = k;
        places[k] = alloca(sizeof(int)); /* gone with the array */
        total += array[0];
    }
    for (int i = 0; i < 2; i++) {
        places[i] = alloca(sizeof(int));
        *places[i] = i + 1;
    }
    return total + *places[0] + *places[1];
}

int main(void) {
    assert(sum(3) == 4);
    return 0;
}
