// expect: UNSAFE assertion *p == 5 fails
// Each time around x is another variable, which is not initialised.
#include <assert.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        int x, *p = &x;
        if (i == 0) x = 5;
        else assert(*p == 5);
    }
    return 0;
}
