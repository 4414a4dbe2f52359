// expect: UNKNOWN more rounds of a loop than --unwind 2 allows
// flags: --unwind 2 --timeout 5
#include <assert.h>
unsigned steps;
int main(void) {
    for (unsigned i = 0; i < 3; i++) steps++;
    assert(steps == 3);
}
