// expect: SAFE
/* Elements that were never written are swapped: they hold some value each, and keep it. */
#include <assert.h>

static void swap(char *array, unsigned i, unsigned j) {
    char before = array[i];
    array[i] = array[j];
    array[j] = before;
    assert(array[j] == before);
}

int main(void) {
    char array[4];
    array[0] = 5;
    swap(array, 0, 3);
    assert(array[3] == 5);
    swap(array, 3, 0);
    assert(array[0] == 5);
    return 0;
}
