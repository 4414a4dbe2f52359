// expect: UNKNOWN call of the unknown function touch, which may change shared
/* A pointer to a local lies where others find it. */
#include <assert.h>

int *shared;
void touch(void);

int main(void) {
    int x = 0;
    shared = &x;
    touch();
    assert(x == 0);
    return 0;
}
