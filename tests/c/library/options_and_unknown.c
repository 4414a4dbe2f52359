// expect: UNSAFE assertion x == 1 fails
// The variables of a model that the program does not use are none that an unknown function might change.
#include <assert.h>

void announce(int);
static int x;

int main(void) {
    announce(3);
    assert(x == 1);
    return 0;
}
