// expect: UNSAFE assertion x == 5 fails
#include <assert.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0) x = 5;
        assert(x == 5);
    }
    return 0;
}
