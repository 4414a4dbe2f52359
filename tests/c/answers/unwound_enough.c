// expect: SAFE
// flags: --unwind 3
#include <assert.h>
unsigned steps;
int main(void) {
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 2; k++) steps++;
    assert(steps == 6);
}
