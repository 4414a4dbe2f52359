// expect: UNSAFE
// flags: --unwind 2
#include <assert.h>
unsigned steps;
int main(void) {
    for (;;) {
        steps++;
        assert(steps < 3);
    }
}
