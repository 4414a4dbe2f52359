// expect: UNKNOWN call of the unknown function touch, which may call count
/* The variable is hidden, but not who changes it. */
#include <assert.h>

static int n;
void count(void) { n++; }
void touch(void);

int main(void) {
    touch();
    assert(n == 0);
    return 0;
}
