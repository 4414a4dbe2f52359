// expect: SAFE
#include <assert.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i, y;
        y = x + 1;
        sum += y;
    }
    assert(sum == 6);
    return 0;
}
