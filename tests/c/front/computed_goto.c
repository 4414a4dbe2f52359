// expect: UNSAFE assertion x == 1 fails
#include <assert.h>

int main(void) {
    void *labels[] = {&&first, &&second};
    int x = 0;
    goto *labels[1];
first:
    x = 1;
second:
    assert(x == 1);
    return 0;
}
